/** The dialogs that change the account's data: name, phone, email address. */
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { profileDialogsTexts } from '#messages/access/profileDialogs.ts'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import type { ProfileScreens } from './profileScreens.ts'

export function EditProfile({ screen }: { screen: ProfileScreens['edit'] }) {
  const { isOpen, isBusy, field } = useForm(screen)
  return (
    <Dialog title={profileDialogsTexts.editTitle} open={isOpen} onClose={screen.close}>
      <Form onSubmit={screen.submit}>
        <Field
          {...field('name')}
          label={profileDialogsTexts.name}
          name="name"
          autoComplete="name"
          hint={profileDialogsTexts.nameHint}
        />
        <Field {...field('phone')} label={profileDialogsTexts.phone} name="phone" type="tel" autoComplete="tel" inputMode="tel" />
        <Actions busy={isBusy} busyLabel={profileDialogsTexts.saving} label={profileDialogsTexts.save} onCancel={screen.close} />
      </Form>
    </Dialog>
  )
}

export function ChangeEmail({ screen, email: current }: { screen: ProfileScreens['email']; email: string }) {
  const { step, fields, isBusy, field } = useForm(screen)
  return (
    <>
      <Dialog title={profileDialogsTexts.changeEmail} open={step === 'email'} onClose={() => step === 'email' && screen.close()}>
        <Form onSubmit={screen.request}>
          <p className="text-muted">{profileDialogsTexts.changeEmailAbout(maskEmail(current))}</p>
          <EmailField {...field('email')} label={profileDialogsTexts.newEmail} name="new-email" autoComplete="email" />
          <Actions
            busy={isBusy}
            busyLabel={profileDialogsTexts.sending}
            label={profileDialogsTexts.sendCodes}
            onCancel={screen.close}
          />
        </Form>
      </Dialog>
      <Dialog title={profileDialogsTexts.enterCodes} open={step === 'codes'} onClose={() => step === 'codes' && screen.close()}>
        <Form onSubmit={screen.confirm}>
          <CodeField
            {...field('currentCode')}
            label={profileDialogsTexts.codeSentTo(maskEmail(current))}
            name="current-code"
            digits={CODE_LENGTH}
          />
          <CodeField
            {...field('newCode')}
            label={profileDialogsTexts.codeSentTo(maskEmail(fields.email))}
            name="new-code"
            digits={CODE_LENGTH}
          />
          <button type="button" className="link min-h-11 self-start text-sm" onClick={() => void screen.request()}>
            {profileDialogsTexts.sendBothAgain}
          </button>
          <button type="button" className="link min-h-11 self-start text-sm" onClick={screen.back}>
            {profileDialogsTexts.otherAddress}
          </button>
          <Actions
            busy={isBusy}
            busyLabel={profileDialogsTexts.changing}
            label={profileDialogsTexts.changeEmail}
            onCancel={screen.close}
          />
        </Form>
      </Dialog>
    </>
  )
}
