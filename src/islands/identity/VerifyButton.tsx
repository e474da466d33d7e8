import { identityPromptTexts } from '#messages/identity/identityPrompt.ts'
import { Button } from '../ui/Button.tsx'
import { useIdentityLink } from './useIdentityLink.ts'

/** The link to the identity check as the button of a step. Reloads the page when the check's status has changed. */
export function VerifyButton({ status: known }: { status: string }) {
  const { url, error, retry } = useIdentityLink((status) => {
    if (status !== known) window.location.reload()
  })
  if (error)
    return (
      <div role="alert">
        <p className="mt-3">{error}</p>
        <Button look="on-hero" onClick={() => void retry()}>
          {identityPromptTexts.tryAgain}
        </Button>
      </div>
    )
  if (!url)
    return (
      <span className="button button-on-hero" aria-busy="true">
        {identityPromptTexts.verify}
      </span>
    )
  return (
    <a className="button button-on-hero" href={url} target="_blank" rel="noopener">
      {identityPromptTexts.verify}
      <span className="sr-only"> {identityPromptTexts.newTab}</span>
    </a>
  )
}
