import { share } from '#lib/client/platform/share.ts'
import { referralTexts } from '#messages/referral/referral.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Button } from '../ui/Button.tsx'

type Props = { code: string; link: string }

/** The customer's referral code and link, to copy and to share. */
export function ShareCode({ code, link }: Props) {
  return (
    <>
      <div className="flex min-h-14 items-center justify-between gap-3 rounded-control bg-accent-tint px-4">
        <div className="min-w-0">
          <p className="text-xs text-muted">{referralTexts.yourCode}</p>
          <p className="figure break-all text-lg font-semibold tracking-widest">{code}</p>
        </div>
        <CopyText text={code} label={referralTexts.code} />
      </div>
      <div className="mt-3 flex min-h-12 items-center justify-between gap-3 rounded-control border border-line px-4">
        <span className="min-w-0 truncate text-sm text-muted" title={link}>
          {link}
        </span>
        <CopyText text={link} label={referralTexts.link} />
      </div>
      <Button look="quiet" className="my-3 w-full" onClick={() => void share({ url: link })}>
        {referralTexts.share}
      </Button>
    </>
  )
}
