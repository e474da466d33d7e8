import { refreshQueries } from '#lib/client/platform/queries.ts'
import { isVerified, type KycBadge, kycBadge } from '#lib/domain/identity/check.ts'
import { identityAdvice, identityTexts } from '#messages/identity/identity.ts'
import { identityPromptTexts } from '#messages/identity/identityPrompt.ts'
import { Tag } from '../ui/Tag.tsx'
import { useIdentityLink } from './useIdentityLink.ts'

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
        {!badgeOnly && !isVerified(kycData) && <VerifyNow status={status} />}
      </p>
      <p className="mt-1 text-sm text-muted">
        {isVerified(kycData) ? identityTexts.verified : (identityAdvice[status] ?? identityTexts.begin)}
      </p>
    </>
  )
}

function VerifyNow({ status: known }: { status: string }) {
  const { url, error, retry } = useIdentityLink((status) => {
    if (status !== known) refreshQueries('getProfile', 'getSecurity')
  })

  if (error)
    return (
      <span role="alert" className="text-sm text-red">
        {error}{' '}
        <button type="button" className="link min-h-11" onClick={() => void retry()}>
          {identityPromptTexts.tryAgain}
        </button>
      </span>
    )
  if (!url) return <span className="skeleton">{identityPromptTexts.verify}</span>
  return (
    <a className="link inline-flex min-h-11 items-center" href={url} target="_blank" rel="noopener">
      {identityPromptTexts.verify}
      <span className="sr-only"> {identityPromptTexts.newTab}</span>
    </a>
  )
}
