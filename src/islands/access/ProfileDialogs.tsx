/** The dialogs of the account's data: name, phone, address. */
import { useStore } from '@nanostores/react'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
import { profileDialogsTexts } from '#lib/messages/en/profileDialogs.ts'
import { Actions } from '../ui/Actions.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import type { ProfileScreens } from './profileScreens.ts'

export function EditProfile({ screen }: { screen: ProfileScreens['edit'] }) {
  const { isOpen, values, errors, busy } = useStore(screen.state)
  return (
    <Dialog title={profileDialogsTexts.editTitle} open={isOpen} onClose={screen.close}>
      <Form onSubmit={screen.submit}>
        <Field
          label={profileDialogsTexts.name}
          name="name"
          autoComplete="name"
          value={values.name}
          onText={(text) => screen.type('name', text)}
          error={errors.name}
          hint={profileDialogsTexts.nameHint}
        />
        <Field
          label={profileDialogsTexts.phone}
          name="phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          value={values.phone}
          onText={(text) => screen.type('phone', text)}
          error={errors.phone}
        />
        <Actions busy={busy} busyLabel={profileDialogsTexts.saving} label={profileDialogsTexts.save} onCancel={screen.close} />
      </Form>
    </Dialog>
  )
}

export function ChangeEmail({ screen, email: current }: { screen: ProfileScreens['email']; email: string }) {
  const { step, email, currentCode, newCode, errors, busy } = useStore(screen.state)
  return (
    <>
      <Dialog title={profileDialogsTexts.changeEmail} open={step === 'email'} onClose={() => step === 'email' && screen.close()}>
        <Form onSubmit={screen.request}>
          <p className="text-muted">{profileDialogsTexts.changeEmailAbout(maskEmail(current))}</p>
          <EmailField
            label={profileDialogsTexts.newEmail}
            name="new-email"
            autoComplete="email"
            value={email}
            onText={(text) => screen.type('email', text)}
            error={errors.email}
          />
          <Actions
            busy={busy}
            busyLabel={profileDialogsTexts.sending}
            label={profileDialogsTexts.sendCodes}
            onCancel={screen.close}
          />
        </Form>
      </Dialog>
      <Dialog title={profileDialogsTexts.enterCodes} open={step === 'codes'} onClose={() => step === 'codes' && screen.close()}>
        <Form onSubmit={screen.confirm}>
          <CodeField
            label={profileDialogsTexts.codeSentTo(maskEmail(current))}
            name="current-code"
            digits={CODE_LENGTH}
            value={currentCode}
            onText={(text) => screen.type('currentCode', text)}
            error={errors.currentCode}
          />
          <CodeField
            label={profileDialogsTexts.codeSentTo(maskEmail(email))}
            name="new-code"
            digits={CODE_LENGTH}
            value={newCode}
            onText={(text) => screen.type('newCode', text)}
            error={errors.newCode}
          />
          <button type="button" className="link min-h-8 self-start text-sm" onClick={() => void screen.request()}>
            {profileDialogsTexts.sendBothAgain}
          </button>
          <button type="button" className="link min-h-8 self-start text-sm" onClick={screen.back}>
            {profileDialogsTexts.otherAddress}
          </button>
          <Actions
            busy={busy}
            busyLabel={profileDialogsTexts.changing}
            label={profileDialogsTexts.changeEmail}
            onCancel={screen.close}
          />
        </Form>
      </Dialog>
    </>
  )
}
