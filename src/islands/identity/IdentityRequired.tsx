import { identityPageTexts } from '#messages/identity/identityPage.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { useIdentityLink } from './useIdentityLink.ts'

/** Shown instead of content that needs a completed identity check (spec section 2). */
export function KycRequired() {
  const { url, error, retry } = useIdentityLink((status) => {
    if (status === 'completed') window.location.reload()
  })

  return (
    <Card id="kyc-required" title={identityPageTexts.heading} className="max-w-2xl">
      <p className="text-muted">{identityPageTexts.required}</p>
      {error ? (
        <div role="alert" className="mt-5">
          <p className="text-red">{error}</p>
          <Button look="quiet" className="mt-3" onClick={() => void retry()}>
            {identityPageTexts.tryAgain}
          </Button>
        </div>
      ) : (
        <>
          <div className="mt-5 flex min-h-12 items-center justify-between gap-3 rounded-control border border-strong-line bg-raised px-4">
            {url ? (
              <>
                <span className="min-w-0 truncate" title={url}>
                  {url}
                </span>
                <CopyText text={url} label={identityPageTexts.link} word={identityPageTexts.copy} />
              </>
            ) : (
              <span className="skeleton w-full">{identityPageTexts.loading}</span>
            )}
          </div>
          <p className="mt-2 text-sm text-muted">{identityPageTexts.linkAbout}</p>
          {url ? (
            <a className="button button-primary mt-5 w-full sm:w-auto" href={url} target="_blank" rel="noopener">
              {identityPageTexts.verify}
              <span className="sr-only"> {identityPageTexts.newTab}</span>
            </a>
          ) : (
            <Button className="mt-5 w-full sm:w-auto" disabled>
              {identityPageTexts.verify}
            </Button>
          )}
        </>
      )}
      <ToastRegion />
    </Card>
  )
}
