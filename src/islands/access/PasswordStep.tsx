import { useEffect, useRef, useState } from 'react'
import { createPasswordSignIn } from '#lib/client/access/passwordSignIn.ts'
import { createResetPassword } from '#lib/client/access/resetPassword.ts'
import { notify } from '#lib/client/platform/toasts.ts'
import { passwordStepTexts } from '#messages/access/passwordStep.ts'
import { texts } from '#messages/platform/texts.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Form } from '../ui/Form.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { ResetPassword } from './ResetPassword.tsx'

type Props = {
  email: string
  emailError?: string | undefined
  /** The error of a password that a form without JavaScript sent. */
  error?: string | undefined
  /** Without it the email address cannot be changed. */
  onEmail?: (text: string) => void
  onSignedIn: () => void
  onSecondFactor: (ticket: string) => void
}

export default function PasswordStep({ email, emailError, error, onEmail, onSignedIn, onSecondFactor }: Props) {
  const [screen] = useState(() => createPasswordSignIn({ onSignedIn, onSecondFactor }, error))
  const [reset] = useState(() =>
    createResetPassword(() => {
      // The old password and what was said about it are over.
      screen.type('password', '')
      notify('success', texts.canSignIn)
    })
  )
  const { fields, errors, isBusy, field } = useForm(screen)
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the step begins
  useEffect(() => {
    ;(email === '' ? emailInput : passwordInput).current?.focus()
  }, [])
  useEffect(() => {
    if (errors.password) passwordInput.current?.focus()
  }, [errors.password])

  return (
    <>
      <Form action="/sign-in" onSubmit={() => void screen.submit(email)}>
        <h2 className="section-title">{passwordStepTexts.title}</h2>
        <EmailField
          label={passwordStepTexts.email}
          autoComplete="username"
          inputRef={emailInput}
          value={email}
          readOnly={!onEmail}
          onText={onEmail ?? (() => undefined)}
          error={emailError}
        />
        <PasswordField
          {...field('password')}
          label={passwordStepTexts.password}
          name="password"
          autoComplete="current-password"
          inputRef={passwordInput}
        />
        <Button
          plain
          type="submit"
          name="do"
          value="password"
          busy={isBusy}
          busyLabel={passwordStepTexts.signingIn}
          disabled={email.trim() === '' || fields.password === ''}
          className="w-full"
        >
          {passwordStepTexts.logIn}
        </Button>
        <Button look="quiet" className="w-full" onClick={() => reset.open(email)}>
          {passwordStepTexts.forgot}
        </Button>
      </Form>
      <ResetPassword screen={reset} />
    </>
  )
}
