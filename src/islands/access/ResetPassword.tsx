import type { createResetPassword } from '#lib/client/access/resetPassword.ts'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { passwordTexts } from '#messages/access/password.ts'
import { resetPasswordTexts } from '#messages/access/resetPassword.ts'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** The dialogs 'Reset Password' and 'Forgot Password'. */
export function ResetPassword({ screen }: { screen: ReturnType<typeof createResetPassword> }) {
  const { step, isKnown, fields, isBusy, field } = useForm(screen)
  const { email } = fields
  return (
    <>
      <Dialog title={resetPasswordTexts.title} open={step === 'password'} onClose={() => step === 'password' && screen.close()}>
        {/* Rendered only while open, because password managers also fill in hidden fields. */}
        {step === 'password' && (
          <Form onSubmit={screen.proceed}>
            {/* The customer sees the masked address; password managers need the whole one. */}
            {isKnown && (
              <input type="email" autoComplete="username" value={email} readOnly aria-hidden tabIndex={-1} className="sr-only" />
            )}
            <Field
              {...field('email')}
              label={resetPasswordTexts.email}
              name="email"
              type={isKnown ? 'text' : 'email'}
              autoComplete={isKnown ? 'off' : 'username'}
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              value={isKnown ? maskEmail(email) : email}
              readOnly={isKnown}
              {...(isKnown && { onText: () => undefined })}
            />
            <PasswordField
              {...field('password')}
              label={resetPasswordTexts.password}
              name="new-password"
              autoComplete="new-password"
              hint={resetPasswordTexts.passwordHint}
            />
            <p className="note bg-gold-tint text-gold">{passwordTexts.resetNotice}</p>
            <Actions
              busy={isBusy}
              busyLabel={resetPasswordTexts.sending}
              label={resetPasswordTexts.continue}
              onCancel={screen.close}
            />
          </Form>
        )}
      </Dialog>
      <Dialog title={resetPasswordTexts.codeTitle} open={step === 'code'} onClose={() => step === 'code' && screen.close()}>
        <Form onSubmit={screen.confirm}>
          <p className="text-muted">
            {resetPasswordTexts.codeSentTo} <strong className="font-semibold text-ink">{maskEmail(email)}</strong>,{' '}
            {resetPasswordTexts.ifAccount}
          </p>
          <CodeField {...field('code')} label={resetPasswordTexts.code} name="token" digits={CODE_LENGTH} />
          <Button type="submit" busy={isBusy} busyLabel={resetPasswordTexts.checking} className="w-full">
            {resetPasswordTexts.confirm}
          </Button>
          <Button look="quiet" className="w-full" onClick={() => void screen.proceed()}>
            {resetPasswordTexts.sendAgain}
          </Button>
        </Form>
      </Dialog>
    </>
  )
}
