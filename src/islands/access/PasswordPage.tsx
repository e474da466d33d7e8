import { useEffect, useState } from 'react'
import { forgetSignInEmail, recallSignInEmail } from '#lib/client/access/passwordSignIn.ts'
import { welcome } from '#lib/client/access/welcome.ts'
import { notify } from '#lib/client/platform/toasts.ts'
import { passwordTexts } from '#messages/access/password.ts'
import { passwordPageTexts } from '#messages/access/passwordPage.ts'
import { signInPageTexts } from '#messages/access/signInPage.ts'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { BackArrow } from '../ui/BackArrow.tsx'
import PasswordStep from './PasswordStep.tsx'
import SecondFactor from './SecondFactor.tsx'

/** The state after a form was sent without JavaScript: email, ticket and errors. */
type First = { email: string; ticket: string; errors: { password?: string | undefined; code?: string | undefined } }

/**
 * The password step as a page of its own. It reads the email address from session storage, where an earlier page put it. With
 * `first` it continues after a plain form.
 */
export function PasswordPage({ first }: { first?: First }) {
  const [email, setEmail] = useState<string | null | undefined>(first?.email)
  const [ticket, setTicket] = useState(first?.ticket || undefined)
  useEffect(() => {
    if (!first) setEmail(recallSignInEmail() ?? null)
  }, [first])

  const enter = () => {
    forgetSignInEmail()
    welcome()
  }

  if (email === undefined) return <p className="skeleton h-12 w-full">{passwordPageTexts.loading}</p>
  return (
    <>
      {first && <BackArrow label={signInPageTexts.backToStart} href="/sign-in" />}
      {email === null ? (
        <div className="flex flex-col gap-5">
          <p role="alert">{passwordTexts.noEmail}</p>
          <a className="button button-primary" href="/">
            {passwordPageTexts.back}
          </a>
        </div>
      ) : ticket ? (
        <SecondFactor
          ticket={ticket}
          error={first?.errors.code}
          onSignedIn={enter}
          onTooLate={(why) => {
            notify('error', why)
            setTicket(undefined)
          }}
        />
      ) : (
        <PasswordStep
          email={email}
          error={first?.errors.password}
          onEmail={first && setEmail}
          onSignedIn={enter}
          onSecondFactor={setTicket}
        />
      )}
      <ToastRegion />
    </>
  )
}
