/** The step of the sign-in that asks for the code. Loaded while the email address is typed. */
import { useEffect, useRef } from 'react'
import type { createSignIn } from '#lib/client/access/signIn.ts'
import { CODE_LENGTH } from '#lib/domain/access/credentials.ts'
import { formatDuration } from '#lib/format/duration.ts'
import { signInPageTexts } from '#messages/access/signInPage.ts'
import type { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { useNow } from '../ui/useNow.ts'

type Screen = ReturnType<typeof createSignIn>
type Props = { screen: Screen; form: ReturnType<typeof useForm<'email' | 'otp', ReturnType<Screen['state']['get']>>> }

export default function OtpStep({ screen, form: { fields, errors, busy, waitUntilMs, field } }: Props) {
  const isVerifying = busy === 'verifying' || busy === 'leaving'
  const otpInput = useRef<HTMLInputElement>(null)
  const nowMs = useNow(true)
  const waitSeconds = nowMs === 0 ? 0 : Math.ceil((waitUntilMs - nowMs) / 1000)
  useEffect(() => otpInput.current?.focus(), [])
  useEffect(() => {
    if (errors.otp) otpInput.current?.focus()
  }, [errors.otp])
  return (
    <>
      <CodeField
        {...field('otp')}
        label={signInPageTexts.otp}
        name="otp"
        digits={CODE_LENGTH}
        inputRef={otpInput}
        readOnly={isVerifying}
        hint={isVerifying ? signInPageTexts.checking : signInPageTexts.codeSent}
      />
      <Button
        plain
        type="submit"
        name="do"
        value="verify"
        busy={isVerifying}
        busyLabel={signInPageTexts.verifying}
        disabled={fields.otp.length < CODE_LENGTH && !errors.otp}
        className="w-full"
      >
        {signInPageTexts.verify}
      </Button>
      <Button
        plain
        type="submit"
        name="do"
        value="code"
        waits={waitSeconds > 0}
        look="quiet"
        className="w-full"
        busy={busy === 'requesting'}
        busyLabel={signInPageTexts.sending}
        disabled={waitSeconds > 0}
        onClick={(event) => {
          event.preventDefault()
          // The button is disabled for a minute, so the focus moves to the code field.
          otpInput.current?.focus()
          void screen.resend()
        }}
      >
        {signInPageTexts.resend}
      </Button>
      {waitSeconds > 0 && (
        <p className="text-center text-sm text-muted">{signInPageTexts.nextCodeIn(formatDuration(waitSeconds))}</p>
      )}
    </>
  )
}
