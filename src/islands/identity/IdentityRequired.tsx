import { identityTexts } from '#lib/messages/en/identity.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { Notices } from '../platform/Notices.tsx'
import { Button } from '../ui/Button.tsx'
import { useIdentityLink } from './useIdentityLink.ts'

/** Shown in place of content that needs a completed identity check (spec section 2). */
export function KycRequired() {
  const { url, error, retry } = useIdentityLink((status) => {
    if (status === 'completed') window.location.reload()
  })

  return (
    <section className="card max-w-2xl p-6 sm:p-8" aria-labelledby="kyc-required">
      <h2 id="kyc-required" className="text-xl font-semibold">
        KYC Verification Required
      </h2>
      <p className="mt-2 text-muted">{identityTexts.required}</p>
      {error ? (
        <div role="alert" className="mt-5">
          <p className="text-red">{error}</p>
          <Button look="quiet" className="mt-3" onClick={() => void retry()}>
            Try again
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
                <CopyText text={url} label="the verification link" word="Copy" />
              </>
            ) : (
              <span className="skeleton w-full">Loading the link</span>
            )}
          </div>
          <p className="mt-2 text-sm text-muted">
            The link works for a short time and is renewed here. When the check is completed, this page opens.
          </p>
          {url ? (
            <a className="button button-primary mt-5 w-full sm:w-auto" href={url} target="_blank" rel="noopener">
              Verify Now<span className="sr-only"> (opens in a new tab)</span>
            </a>
          ) : (
            <Button className="mt-5 w-full sm:w-auto" disabled>
              Verify Now
            </Button>
          )}
        </>
      )}
      <Notices />
    </section>
  )
}
