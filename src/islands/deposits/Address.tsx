import type { DepositAddress } from '#lib/client/deposits/deposit.ts'
import { drawQr } from '#lib/client/platform/qr.ts'
import { share } from '#lib/client/platform/share.ts'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { depositTexts as texts } from '#messages/deposits/deposit.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Icon } from '../ui/Icon.tsx'

/** Groups of four, because people compare addresses by groups. */
function groupsOf(address: string): string[] {
  return address.includes('-') ? address.split(/(?<=-)/) : (address.match(/.{1,4}/g) ?? [])
}

/** An address as a QR code and in groups, with what is done with it: copy, share, save. */
export function Address({
  currency,
  address: { address, accountId, publicKey }
}: {
  currency: ChainToken
  address: DepositAddress
}) {
  const groups = groupsOf(address)
  const isEnd = (index: number) => index < 2 || index >= groups.length - 2
  const code = drawQr(address)
  return (
    <>
      <img
        src={code}
        alt={texts.qr(currency)}
        width="272"
        height="272"
        className="size-52 rounded-control border border-line lg:size-68"
      />
      <p className="text-sm text-muted">{texts.yourAddress(currency)}</p>
      <p className="figure -mt-2 flex max-w-sm flex-wrap justify-center gap-x-1.5 text-lg" translate="no" data-address={address}>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
          <span key={index} className={isEnd(index) ? 'font-semibold text-accent' : ''}>
            {group}
          </span>
        ))}
      </p>
      <div className="grid w-full max-w-96">
        <CopyText text={address} label={texts.address} word={texts.copyAddress} look="primary" />
      </div>
      <p className="flex gap-4 text-sm">
        <button
          type="button"
          className="link inline-flex min-h-11 items-center gap-1.5"
          onClick={() => void share({ text: address })}
        >
          <Icon>
            <path d="M12 15V4M8 7.5L12 3.5l4 4M6 12v8h12v-8" />
          </Icon>
          {texts.share}
        </button>
        <a className="link inline-flex min-h-11 items-center gap-1.5" href={code} download={`${currency}-address.svg`}>
          <Icon>
            <path d="M12 4v11M6.5 10.5L12 16l5.5-5.5M4 20h16" />
          </Icon>
          {texts.saveQr}
        </a>
      </p>
      {accountId && publicKey && (
        <details className="w-full">
          <summary className="min-h-11 content-center font-medium">{texts.moreAsked}</summary>
          <dl className="grid gap-2 text-sm">
            {(
              [
                [texts.accountId, accountId],
                [texts.publicKey, publicKey]
              ] as const
            ).map(([name, value]) => (
              <div key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="figure flex items-center gap-2">
                  <span className="min-w-0 break-all whitespace-normal">{value}</span>
                  <CopyText text={value} label={name} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}
