import { Suspense } from 'react'
import { isVerified, type KycBadge, kycBadge } from '#lib/domain/identity/check.ts'
import { identityAdvice, identityTexts } from '#messages/identity/identity.ts'
import { identityPromptTexts } from '#messages/identity/identityPrompt.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { Tag } from '../ui/Tag.tsx'

/** Loaded only for a customer who is not verified. */
const VerifyNow = lazyPart(() => import('./VerifyNow.tsx'))

type Props = {
  kycData: { review?: { reviewStatus?: string } | undefined } | null
  /** The page shows the prompt in another place. */
  badgeOnly?: boolean
}

const TONES: Record<KycBadge, 'green' | 'gold' | 'grey'> = { Verified: 'green', Pending: 'gold', 'Not Verified': 'grey' }

/** The badge of the identity check, and the prompt while it is not completed. */
export function KycPrompt({ kycData, badgeOnly = false }: Props) {
  const badge = kycBadge(kycData)
  const status = kycData?.review?.reviewStatus ?? ''
  return (
    <>
      <p className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <Tag tone={TONES[badge]}>{identityPromptTexts.badges[badge]}</Tag>
        {!badgeOnly && !isVerified(kycData) && (
          <Suspense fallback={<span className="skeleton">{identityPromptTexts.verify}</span>}>
            <VerifyNow status={status} />
          </Suspense>
        )}
      </p>
      <p className="mt-1 text-sm text-muted">
        {isVerified(kycData) ? identityTexts.verified : (identityAdvice[status] ?? identityTexts.begin)}
      </p>
    </>
  )
}
