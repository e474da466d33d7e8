import { useEffect, useRef, useState } from 'react'
import { createVerifyEmail, type FirstVerify } from '#lib/client/access/verifyEmail.ts'
import { warmUp } from '#lib/client/platform/warmUp.ts'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { formatCountdown, formatDuration } from '#lib/format/duration.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { verifyEmailTexts } from '#messages/access/verifyEmail.ts'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Form } from '../ui/Form.tsx'
import { useNow } from '../ui/useNow.ts'

/** `first`: set after a sign-up form sent without JavaScript. */
export function VerifyEmail({ first }: { first: FirstVerify | undefined }) {
  const [screen] = useState(() => createVerifyEmail(first))
  const { email, fields, errors, busy, expiresAtMs, waitUntilMs, field } = useForm(screen)
  const isVerifying = busy === 'verifying' || busy === 'leaving'
  const input = useRef<HTMLInputElement>(null)
  const nowMs = useNow(email !== null)

  useEffect(() => {
    screen.load()
    input.current?.focus()
  }, [screen])
  useEffect(() => {
    if (errors.code) input.current?.focus()
  }, [errors.code])

  if (email === null) {
    return (
      <div className="flex flex-col gap-5">
        <p>{signInTexts.signUpFirst}</p>
        <a className="button button-primary" href="/sign-up">
          {verifyEmailTexts.toSignUp}
        </a>
        <form method="post" action="/sign-in" className="grid gap-3 border-t border-line pt-5">
          <p className="text-sm text-muted">{signInTexts.signUpElsewhere}</p>
          <label className="grid gap-1.5 text-sm font-medium">
            {verifyEmailTexts.email}
            <input className="input font-normal" type="email" name="email" autoComplete="email" required />
          </label>
          <button type="submit" name="do" value="code" className="button button-quiet">
            {verifyEmailTexts.sendCode}
          </button>
        </form>
        <ToastRegion />
      </div>
    )
  }

  const isKnown = email !== undefined && nowMs > 0
  const leftSeconds = Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))
  const waitSeconds = Math.ceil((waitUntilMs - nowMs) / 1000)

  return (
    <Form action="/sign-up-verify" onInput={warmUp} onSubmit={() => void screen.verify()}>
      <input type="hidden" name="email" value={email ?? ''} />
      <p className="text-muted">
        {verifyEmailTexts.codeSentTo}{' '}
        <strong className="font-semibold text-ink">{email ? maskEmail(email) : <span className="skeleton w-36">…</span>}</strong>.{' '}
        {verifyEmailTexts.enterInTime}
      </p>
      <CodeField
        {...field('code')}
        label={verifyEmailTexts.code}
        name="token"
        digits={CODE_LENGTH}
        inputRef={input}
        readOnly={isVerifying}
      />
      <p className="-mt-2 pb-2 text-sm text-muted">
        {isKnown && leftSeconds === 0 ? (
          verifyEmailTexts.expired
        ) : (
          <>
            {verifyEmailTexts.timeLeft}{' '}
            <span className="figure font-medium text-ink">{isKnown ? formatCountdown(leftSeconds) : '30:00'}</span>
          </>
        )}
      </p>
      <Button
        plain={first !== undefined}
        type="submit"
        name="do"
        value="verify"
        busy={isVerifying}
        busyLabel={verifyEmailTexts.verifying}
        disabled={fields.code.length < CODE_LENGTH}
        className="w-full"
      >
        {verifyEmailTexts.verify}
      </Button>
      <Button
        plain={first !== undefined}
        type="submit"
        name="do"
        value="resend"
        waits={waitSeconds > 0}
        look="quiet"
        className="w-full"
        busy={busy === 'resending'}
        busyLabel={verifyEmailTexts.sending}
        disabled={!isKnown || waitSeconds > 0}
        onClick={(event) => {
          event.preventDefault()
          // The button is disabled for a minute, so the focus moves to the code field.
          input.current?.focus()
          void screen.resend()
        }}
      >
        {verifyEmailTexts.resend}
      </Button>
      {isKnown && waitSeconds > 0 && (
        <p className="text-center text-sm text-muted">{verifyEmailTexts.nextCodeIn(formatDuration(waitSeconds))}</p>
      )}
      <ToastRegion />
    </Form>
  )
}
