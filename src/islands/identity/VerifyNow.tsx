import { refreshQueries } from '#lib/client/platform/queries.ts'
import { identityPromptTexts } from '#messages/identity/identityPrompt.ts'
import { useIdentityLink } from './useIdentityLink.ts'

/** The link to the identity check; a press on it opens the check in another tab. */
export default function VerifyNow({ status: known }: { status: string }) {
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
