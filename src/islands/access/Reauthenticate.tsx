/** Asks for a new proof of identity before a sensitive action; loaded on the first press that needs it. */
import { rememberSignInEmail } from '#lib/client/access/passwordSignIn.ts'
import type { Reauthentication } from '#lib/client/access/reauthentication.ts'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { profileDialogsTexts } from '#messages/access/profileDialogs.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { useNow } from '../ui/useNow.ts'

export default function Reauthenticate({ screen, email }: { screen: Reauthentication; email: string }) {
  const { isOpen, method, hasPasskey, fields, isBusy, waitUntilMs, field } = useForm(screen)
  const waitSeconds = Math.ceil((waitUntilMs - useNow(isOpen)) / 1000)
  const isTotp = method === 'totp'
  return (
    <Dialog title={profileDialogsTexts.confirmTitle} open={isOpen} onClose={screen.close}>
      <Form onSubmit={screen.submit}>
        <p className="text-muted">
          {isTotp ? profileDialogsTexts.confirmByApp : profileDialogsTexts.confirmByMail(maskEmail(email))}
        </p>
        <CodeField
          {...field('code')}
          label={isTotp ? profileDialogsTexts.confirmCodeOfApp : profileDialogsTexts.confirmCode}
          name="reauthentication-code"
          digits={CODE_LENGTH}
          {...(isTotp && { inputMode: 'text' as const })}
          readOnly={isBusy}
        />
        <Button
          type="submit"
          busy={isBusy}
          busyLabel={profileDialogsTexts.confirming}
          disabled={fields.code === ''}
          className="w-full"
        >
          {profileDialogsTexts.confirm}
        </Button>
        {!isTotp && (
          <Button look="quiet" className="figure w-full" disabled={waitSeconds > 0} onClick={() => void screen.resend()}>
            {waitSeconds > 0 ? profileDialogsTexts.sendAgainIn(waitSeconds) : profileDialogsTexts.sendAgain}
          </Button>
        )}
        {hasPasskey && (
          <Button look="quiet" className="w-full" onClick={() => void screen.withPasskey()}>
            {profileDialogsTexts.usePasskey}
          </Button>
        )}
        <a className="link self-center text-sm" href="/sign-in-with-password" onClick={() => rememberSignInEmail(email)}>
          {profileDialogsTexts.signInAgain}
        </a>
      </Form>
    </Dialog>
  )
}
