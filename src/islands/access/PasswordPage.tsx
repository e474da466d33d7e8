import { useEffect, useState } from 'react'
import { forgetSignInEmail, recallSignInEmail } from '#lib/client/access/passwordSignIn.ts'
import { welcome } from '#lib/client/access/welcome.ts'
import { notify } from '#lib/client/platform/notices.ts'
import { passwordTexts } from '#lib/messages/en/access/password.ts'
import { passwordPageTexts } from '#lib/messages/en/access/passwordPage.ts'
import { Notices } from '../platform/Notices.tsx'
import PasswordStep from './PasswordStep.tsx'
import SecondFactor from './SecondFactor.tsx'

/** The password step as a page of its own; it needs the address that another page has put into session storage. */
export function PasswordPage() {
  const [email, setEmail] = useState<string | null>()
  const [ticket, setTicket] = useState<string>()
  useEffect(() => setEmail(recallSignInEmail() ?? null), [])

  const enter = () => {
    forgetSignInEmail()
    welcome()
  }

  if (email === undefined) return <p className="skeleton h-12 w-full">{passwordPageTexts.loading}</p>
  return (
    <>
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
          onSignedIn={enter}
          onTooLate={(why) => {
            notify('error', why)
            setTicket(undefined)
          }}
        />
      ) : (
        <PasswordStep email={email} onSignedIn={enter} onSecondFactor={setTicket} />
      )}
      <Notices />
    </>
  )
}
