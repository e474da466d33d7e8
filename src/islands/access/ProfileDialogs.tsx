/** The dialogs of the account's data: name, phone, address. */
import { useStore } from '@nanostores/react'
import { CODE_LENGTH, maskEmail } from '#lib/domain/access/credentials.ts'
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
    <Dialog title="Name and phone" open={isOpen} onClose={screen.close}>
      <Form onSubmit={screen.submit}>
        <Field
          label="Name"
          name="name"
          autoComplete="name"
          value={values.name}
          onText={(text) => screen.type('name', text)}
          error={errors.name}
          hint="How the dashboard greets you. It may stay empty."
        />
        <Field
          label="Phone number"
          name="phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          value={values.phone}
          onText={(text) => screen.type('phone', text)}
          error={errors.phone}
        />
        <Actions busy={busy} busyLabel="Saving…" label="Save" onCancel={screen.close} />
      </Form>
    </Dialog>
  )
}

export function ChangeEmail({ screen, email: current }: { screen: ProfileScreens['email']; email: string }) {
  const { step, email, currentCode, newCode, errors, busy } = useStore(screen.state)
  return (
    <>
      <Dialog title="Change email" open={step === 'email'} onClose={() => step === 'email' && screen.close()}>
        <Form onSubmit={screen.request}>
          <p className="text-muted">
            We send a code to {maskEmail(current)} and one to the new address. Only both together change it.
          </p>
          <EmailField
            label="New email"
            name="new-email"
            autoComplete="email"
            value={email}
            onText={(text) => screen.type('email', text)}
            error={errors.email}
          />
          <Actions busy={busy} busyLabel="Sending…" label="Send codes" onCancel={screen.close} />
        </Form>
      </Dialog>
      <Dialog title="Enter both codes" open={step === 'codes'} onClose={() => step === 'codes' && screen.close()}>
        <Form onSubmit={screen.confirm}>
          <CodeField
            label={`Code sent to ${maskEmail(current)}`}
            name="current-code"
            digits={CODE_LENGTH}
            value={currentCode}
            onText={(text) => screen.type('currentCode', text)}
            error={errors.currentCode}
          />
          <CodeField
            label={`Code sent to ${maskEmail(email)}`}
            name="new-code"
            digits={CODE_LENGTH}
            value={newCode}
            onText={(text) => screen.type('newCode', text)}
            error={errors.newCode}
          />
          <button type="button" className="link min-h-8 self-start text-sm" onClick={() => void screen.request()}>
            Send both codes again
          </button>
          <button type="button" className="link min-h-8 self-start text-sm" onClick={screen.back}>
            Use another address
          </button>
          <Actions busy={busy} busyLabel="Changing…" label="Change email" onCancel={screen.close} />
        </Form>
      </Dialog>
    </>
  )
}
