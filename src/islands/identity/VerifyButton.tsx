import { identityPromptTexts } from '#messages/identity/identityPrompt.ts'
import { Button } from '../ui/Button.tsx'
import { useIdentityLink } from './useIdentityLink.ts'

/** The link to the identity check as a button, on a green panel unless told. Reloads the page when the check's status has changed. */
export function VerifyButton({ status: known, look = 'on-hero' }: { status: string; look?: 'on-hero' | 'primary' }) {
  const { url, error, retry } = useIdentityLink((status) => {
    if (status !== known) window.location.reload()
  })
  if (error)
    return (
      <div role="alert">
        <p className="mt-3">{error}</p>
        <Button look={look} onClick={() => void retry()}>
          {identityPromptTexts.tryAgain}
        </Button>
      </div>
    )
  if (!url)
    return (
      <span className={`button button-${look}`} aria-busy="true">
        {identityPromptTexts.verify}
      </span>
    )
  return (
    <a className={`button button-${look}`} href={url} target="_blank" rel="noopener">
      {identityPromptTexts.verify}
      <span className="sr-only"> {identityPromptTexts.newTab}</span>
    </a>
  )
}
