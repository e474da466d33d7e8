/** The dialogs of the profile, loaded with the first press on it. */
import { rememberSignInEmail } from '#lib/client/access/passwordSignIn.ts'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { profileDialogsTexts } from '#lib/messages/en/access/profileDialogs.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { useNow } from '../ui/useNow.ts'
import { ChangeEmail, EditProfile } from './ProfileDialogs.tsx'
import type { ProfileScreens } from './profileScreens.ts'
import { ResetPassword } from './ResetPassword.tsx'
import { AddPasskey, AddTotp, RecoveryCodes } from './SecurityDialogs.tsx'

type Props = { screens: ProfileScreens; email: string }

export default function Dialogs({ screens, email }: Props) {
  return (
    <>
      <EditProfile screen={screens.edit} />
      <ChangeEmail screen={screens.email} email={email} />
      <ResetPassword screen={screens.password} />
      <AddPasskey screen={screens.security} />
      <AddTotp screen={screens.security} />
      <RecoveryCodes screen={screens.security} />
      {/* Last: it opens on top of the others. */}
      <Reauthenticate screen={screens.reauthentication} email={email} />
    </>
  )
}

function Reauthenticate({ screen, email }: { screen: ProfileScreens['reauthentication']; email: string }) {
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
