import { Suspense, useEffect, useRef, useState } from 'react'
import { createSignIn, type FirstSignIn } from '#lib/client/access/signIn.ts'
import { welcome } from '#lib/client/access/welcome.ts'
import { warmUp } from '#lib/client/platform/warmUp.ts'
import { signInPageTexts } from '#messages/access/signInPage.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useForm } from '../platform/useForm.ts'
import { BackArrow } from '../ui/BackArrow.tsx'
import { Button } from '../ui/Button.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Form } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'

/** Loaded on the press that needs it. */
const OtpStep = lazyPart(() => import('./OtpStep.tsx'))
const PasswordStep = lazyPart(() => import('./PasswordStep.tsx'))
const SecondFactor = lazyPart(() => import('./SecondFactor.tsx'))

type Props = {
  /** The arrow's target in the first step. */
  back: string
  /** The state after a form was sent before hydration. */
  first: FirstSignIn
}

/** Loads what the next step needs, while the customer is still typing. */
function load(): void {
  warmUp()
  import('./OtpStep.tsx').catch(() => undefined)
}

/** Every step is also a plain form: it works before hydration and without JavaScript. */
export function SignIn({ back, first }: Props) {
  const [screen] = useState(() => createSignIn(first))
  const form = useForm(screen)
  const { step, ticket, fields, errors, busy, field } = form
  const emailInput = useRef<HTMLInputElement>(null)

  useEffect(() => screen.recall(), [screen])
  useEffect(() => {
    screen.offerPasskeys()
    return screen.stopOffering
  }, [screen])
  // A form sent before hydration came back with an error: focus its field.
  useEffect(() => {
    if (first.errors.email) emailInput.current?.focus()
  }, [first])
  const before = useRef(step)
  useEffect(() => {
    if (step === 'email' && before.current !== 'email') emailInput.current?.focus()
    before.current = step
  }, [step])

  const arrow =
    step === 'email' ? (
      <BackArrow label={signInPageTexts.backToWebsite} href={back} />
    ) : (
      <BackArrow label={signInPageTexts.backToStart} href="/sign-in" onPress={screen.back} />
    )

  if (step === 'password') {
    return (
      <Suspense fallback={<Waiting />}>
        {arrow}
        <PasswordStep
          email={fields.email}
          emailError={errors.email}
          onEmail={field('email').onText}
          onSignedIn={welcome}
          onSecondFactor={screen.askSecondFactor}
        />
        <ToastRegion />
      </Suspense>
    )
  }
  if (step === 'secondFactor') {
    return (
      <Suspense fallback={<Waiting />}>
        {arrow}
        <SecondFactor ticket={ticket} onSignedIn={welcome} onTooLate={screen.startOver} />
        <ToastRegion />
      </Suspense>
    )
  }
  return (
    <Form action="/sign-in" onInput={load} onSubmit={step === 'email' ? screen.next : screen.verify}>
      {arrow}
      <h2 className="section-title">{signInPageTexts.title}</h2>
      <EmailField
        {...field('email')}
        label={signInPageTexts.email}
        autoComplete="username webauthn"
        onFocus={screen.offerPasskeys}
        inputRef={emailInput}
        readOnly={step === 'otp' || busy === 'requesting'}
        aside={<WhyOtp />}
      />
      {step === 'email' ? (
        <>
          <Button
            plain
            type="submit"
            name="do"
            value="code"
            busy={busy === 'requesting'}
            busyLabel={signInPageTexts.sending}
            className="w-full"
          >
            {signInPageTexts.next}
          </Button>
          <p className="pt-2 text-center text-sm text-muted">{signInPageTexts.or}</p>
          <Button
            plain
            type="submit"
            name="do"
            value="use-password"
            look="quiet"
            className="w-full"
            onClick={(event) => {
              event.preventDefault()
              screen.withPassword()
            }}
          >
            {signInPageTexts.usePassword}
          </Button>
          <Button
            look="quiet"
            className="w-full"
            busy={busy === 'passkey' || busy === 'leaving'}
            busyLabel={signInPageTexts.waitingForPasskey}
            onClick={() => void screen.withPasskey()}
          >
            {signInPageTexts.usePasskey}
          </Button>
        </>
      ) : (
        <Suspense fallback={<Waiting />}>
          <OtpStep screen={screen} form={form} />
        </Suspense>
      )}
      <ToastRegion />
    </Form>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only">{signInPageTexts.loading}</span>
      <span className="skeleton h-12 w-full" />
      <span className="skeleton h-12 w-full" />
      <span className="skeleton h-11 w-full" />
    </div>
  )
}

function WhyOtp() {
  return (
    <>
      <button type="button" popoverTarget="why-otp" aria-label={signInPageTexts.whyOtp} className="icon-button -my-2 -mr-2">
        <Icon>
          <circle cx="12" cy="12" r="9" />
          <path d="M9.7 9.3a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1.1.9-1.1 1.7M12 16.4v.1" />
        </Icon>
      </button>
      <div id="why-otp" popover="auto" className="card m-auto max-w-xs p-4 text-sm text-ink">
        {signInPageTexts.whyOtpAbout}
      </div>
    </>
  )
}
