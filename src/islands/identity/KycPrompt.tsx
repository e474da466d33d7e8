import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createVerifyIdentity } from '#lib/client/screens/verifyIdentity.ts'
import { refreshQueries } from '#lib/client/stores/queries.ts'
import { isVerified, type KycBadge, kycBadge } from '#lib/domain/kyc.ts'
import { kycTexts } from '#lib/messages/kyc.ts'
import { Tag } from '../ui/Tag.tsx'
import { useReturn } from '../useReturn.ts'

type Props = { kycData: { review?: { reviewStatus?: string } | undefined } | null }

const TONES: Record<KycBadge, 'green' | 'gold' | 'grey'> = { Verified: 'green', Pending: 'gold', 'Not Verified': 'grey' }

/** What each status asks of the customer. */
const ADVICE: Record<string, string> = {
  pending: 'Your documents are being looked at.',
  onHold: 'Your documents are being looked at once more.',
  retry: 'Something was unreadable or missing: please hand it in again.',
  rejected: 'The check was not passed. If you think that this is wrong, write to us.'
}

/** The badge of the identity check, and the prompt while it is not completed. */
export function KycPrompt({ kycData }: Props) {
  const badge = kycBadge(kycData)
  return (
    <>
      <p className="flex min-h-8.5 flex-wrap items-center gap-x-4 gap-y-2">
        <Tag tone={TONES[badge]}>{badge}</Tag>
        {!isVerified(kycData) && <VerifyNow />}
      </p>
      <p className="mt-1 text-sm text-muted">
        {isVerified(kycData)
          ? kycTexts.verified
          : (ADVICE[kycData?.review?.reviewStatus ?? ''] ?? 'It takes a few minutes and a document.')}
      </p>
    </>
  )
}

function VerifyNow() {
  const [screen] = useState(() => createVerifyIdentity(() => refreshQueries('getProfile', 'getSecurity')))
  const { url, error } = useStore(screen.state)
  useEffect(() => {
    void screen.load()
    const look = () => void screen.look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [screen])
  useReturn(screen.load)

  if (error) return <span className="text-sm text-red">{error}</span>
  if (!url) return <span className="skeleton">Verify now!</span>
  return (
    <a className="link inline-flex min-h-8 items-center" href={url} target="_blank" rel="noopener">
      Verify now!<span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
