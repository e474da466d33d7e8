import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { notify } from '#lib/client/notices.ts'
import { createVerifyIdentity } from '#lib/client/screens/verifyIdentity.ts'
import { kycTexts } from '#lib/messages/kyc.ts'
import { texts } from '#lib/messages/screens.ts'
import { Notices } from '../Notices.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'

/** Takes the place of what needs a completed identity check (spec section 2). */
export function KycRequired() {
  const [screen] = useState(() => createVerifyIdentity(() => window.location.reload()))
  const { url, error } = useStore(screen.state)

  useEffect(() => {
    void screen.load()
    const look = () => {
      if (!document.hidden) void screen.look()
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [screen])

  return (
    <section className="card max-w-2xl p-6 sm:p-8" aria-labelledby="kyc-required">
      <h2 id="kyc-required" className="text-xl font-semibold">
        KYC Verification Required
      </h2>
      <p className="mt-2 text-muted">{kycTexts.required}</p>
      {error ? (
        <div role="alert" className="mt-5">
          <p className="text-red">{error}</p>
          <Button look="quiet" className="mt-3" onClick={() => void screen.load()}>
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
                <CopyButton
                  text={url}
                  label="the verification link"
                  onCopied={() => notify('success', texts.copied)}
                  onFailed={() => notify('error', texts.copyFailed)}
                />
              </>
            ) : (
              <span className="skeleton w-full">Loading the link</span>
            )}
          </div>
          <p className="mt-2 text-sm text-muted">The link works for 30 minutes. When the check is completed, this page opens.</p>
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
