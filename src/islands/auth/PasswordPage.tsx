import { useEffect, useState } from 'react'
import { goTo } from '#lib/client/navigation.ts'
import { notifyNextPage } from '#lib/client/notices.ts'
import { recallSignInEmail } from '#lib/client/screens/passwordSignIn.ts'
import { texts } from '#lib/messages/screens.ts'
import { signInTexts } from '#lib/messages/signIn.ts'
import { Notices } from '../Notices.tsx'
import PasswordStep from './PasswordStep.tsx'
import SecondFactor from './SecondFactor.tsx'

function welcome(): void {
  notifyNextPage('success', texts.welcome)
  goTo('/dashboard')
}

/** The password step as a page of its own; it needs the address that another page has put into session storage. */
export function PasswordPage() {
  const [email, setEmail] = useState<string | null>()
  const [ticket, setTicket] = useState<string>()
  useEffect(() => setEmail(recallSignInEmail() ?? null), [])

  if (email === undefined) return <p className="skeleton h-12 w-full">Loading</p>
  return (
    <>
      {email === null ? (
        <div className="flex flex-col gap-5">
          <p role="alert">{signInTexts.noEmail}</p>
          <a className="button button-primary" href="/sign-in">
            Go to sign in
          </a>
        </div>
      ) : ticket ? (
        <SecondFactor ticket={ticket} onSignedIn={welcome} onTooLate={() => setTicket(undefined)} />
      ) : (
        <PasswordStep email={email} onSignedIn={welcome} onSecondFactor={setTicket} />
      )}
      <Notices />
    </>
  )
}
