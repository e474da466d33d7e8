/** The dialogs of the profile. */
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { loadChunk } from '#lib/client/loadChunk.ts'
import { notify } from '#lib/client/notices.ts'
import { rememberSignInEmail } from '#lib/client/screens/passwordSignIn.ts'
import { CODE_LENGTH, maskEmail } from '#lib/domain/account.ts'
import { texts } from '#lib/messages/screens.ts'
import { ResetPassword } from '../auth/ResetPassword.tsx'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import type { ProfileScreens } from './Profile.tsx'

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
      <Confirm screen={screens.confirmation} email={email} />
    </>
  )
}

function EditProfile({ screen }: { screen: ProfileScreens['edit'] }) {
  const { isOpen, values, errors, busy } = useStore(screen.state)
  return (
    <Dialog title="Name and phone" open={isOpen} onClose={screen.close}>
      <Form onSubmit={() => void screen.submit()}>
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

function ChangeEmail({ screen, email: current }: { screen: ProfileScreens['email']; email: string }) {
  const { step, email, currentCode, newCode, errors, busy } = useStore(screen.state)
  return (
    <>
      <Dialog title="Change email" open={step === 'email'} onClose={() => step === 'email' && screen.close()}>
        <Form onSubmit={() => void screen.request()}>
          <p className="text-muted">
            We send a code to {maskEmail(current)} and one to the new address. Only both together change it.
          </p>
          <Field
            label="New email"
            name="new-email"
            type="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onText={(text) => screen.type('email', text)}
            error={errors.email}
          />
          <Actions busy={busy} busyLabel="Sending…" label="Send codes" onCancel={screen.close} />
        </Form>
      </Dialog>
      <Dialog title="Enter both codes" open={step === 'codes'} onClose={() => step === 'codes' && screen.close()}>
        <Form onSubmit={() => void screen.confirm()}>
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
          <Actions busy={busy} busyLabel="Changing…" label="Change email" onCancel={screen.close} />
        </Form>
      </Dialog>
    </>
  )
}

function Confirm({ screen, email }: { screen: ProfileScreens['confirmation']; email: string }) {
  const { isOpen, method, hasPasskey, code, error, busy } = useStore(screen.state)
  const isTotp = method === 'totp'
  return (
    <Dialog title="Please confirm that it is you" open={isOpen} onClose={screen.close}>
      <Form onSubmit={() => void screen.submit()}>
        <p className="text-muted">
          {isTotp
            ? 'Enter the code of your authenticator app, or one of your recovery codes.'
            : `We sent a code to ${maskEmail(email)}. It keeps others from changing your account on an open device.`}
        </p>
        <CodeField
          label={isTotp ? 'Authenticator or recovery code' : 'Code'}
          name="confirm-code"
          digits={CODE_LENGTH}
          {...(isTotp && { inputMode: 'text' as const })}
          value={code}
          readOnly={busy}
          onText={screen.type}
          error={error}
        />
        <Button type="submit" busy={busy} busyLabel="Confirming…" disabled={code === ''} className="w-full">
          Confirm
        </Button>
        {hasPasskey && (
          <Button look="quiet" className="w-full" onClick={() => void screen.withPasskey()}>
            Use a passkey
          </Button>
        )}
        <a className="link self-center text-sm" href="/sign-in-with-password" onClick={() => rememberSignInEmail(email)}>
          Or sign in again with your password
        </a>
      </Form>
    </Dialog>
  )
}

function AddPasskey({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, passkeyName, passkeyNameError, busy } = useStore(screen.state)
  return (
    <Dialog title="Add a passkey" open={dialog === 'passkey'} onClose={() => dialog === 'passkey' && screen.close()}>
      <Form onSubmit={() => void screen.addPasskey()}>
        <p className="text-muted">Your browser asks for it next. Give it a name by which you will know it.</p>
        <Field
          label="Name of this passkey"
          name="passkey-name"
          autoComplete="off"
          maxLength={60}
          placeholder="My phone"
          value={passkeyName}
          onText={(text) => screen.type('passkeyName', text)}
          error={passkeyNameError}
        />
        <Actions busy={busy === 'addPasskey'} busyLabel="Waiting for your passkey…" label="Continue" onCancel={screen.close} />
      </Form>
    </Dialog>
  )
}

function AddTotp({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, setup, code, codeError, busy } = useStore(screen.state)
  return (
    <Dialog title="Add an authenticator app" open={dialog === 'totp'} onClose={() => dialog === 'totp' && screen.close()}>
      <Form onSubmit={() => void screen.enableTotp()}>
        <p className="text-muted">Scan this with your authenticator app, then enter the code that it shows.</p>
        {setup && <QrCode text={setup.uri} label="QR code for your authenticator app" />}
        {setup && (
          <p className="flex items-center justify-between gap-2 rounded-control bg-raised px-4 text-sm">
            <span className="min-w-0 break-all">
              By hand: <span className="font-medium">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
            </span>
            <CopyButton
              text={setup.secret}
              label="the key"
              onCopied={() => notify('success', texts.copied)}
              onFailed={() => notify('error', texts.copyFailed)}
            />
          </p>
        )}
        <CodeField
          label="Authenticator code"
          name="totp"
          digits={CODE_LENGTH}
          value={code}
          onText={(text) => screen.type('code', text)}
          error={codeError}
        />
        <Actions busy={busy === 'enableTotp'} busyLabel="Checking…" label="Turn on" onCancel={screen.close} />
      </Form>
    </Dialog>
  )
}

/** Drawn here: what it says is told to nobody. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [svg, setSvg] = useState<string>()
  useEffect(() => {
    loadChunk(() => import('#lib/client/qr.ts')).then(({ drawQr }) => setSvg(drawQr(text)))
  }, [text])
  return svg ? (
    <img className="mx-auto size-48 rounded-control" src={svg} alt={label} />
  ) : (
    <span className="skeleton mx-auto size-48">…</span>
  )
}

function RecoveryCodes({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, recoveryCodes } = useStore(screen.state)
  const all = recoveryCodes.join('\n')
  return (
    <Dialog
      title="Your recovery codes"
      open={dialog === 'recoveryCodes'}
      onClose={() => dialog === 'recoveryCodes' && screen.close()}
      footer={<Button onClick={screen.close}>I have kept them</Button>}
    >
      <p className="text-muted">
        Each signs you in once when your authenticator app is not at hand. Keep them where nobody else looks:{' '}
        <strong className="font-semibold text-ink">they are shown this once.</strong>
      </p>
      <ul className="figure mt-4 grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-raised p-4 text-center font-medium">
        {recoveryCodes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 flex items-center justify-end gap-2 text-sm text-muted">
        Copy all
        <CopyButton
          text={all}
          label="all recovery codes"
          onCopied={() => notify('success', texts.copied)}
          onFailed={() => notify('error', texts.copyFailed)}
        />
      </p>
    </Dialog>
  )
}

type ActionsProps = { busy: boolean; busyLabel: string; label: string; onCancel: () => void }

function Actions({ busy, busyLabel, label, onCancel }: ActionsProps) {
  return (
    <div className="mt-2 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" busy={busy} busyLabel={busyLabel}>
        {label}
      </Button>
    </div>
  )
}
