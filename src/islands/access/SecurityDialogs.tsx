/** The dialogs of passkeys and the authenticator app. */
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import { CODE_LENGTH } from '#lib/domain/access/credentials.ts'
import { profileDialogsTexts } from '#messages/access/profileDialogs.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import type { ProfileScreens } from './profileScreens.ts'

export function AddPasskey({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, busy, field } = useForm(screen)
  return (
    <Dialog
      title={profileDialogsTexts.addPasskey}
      open={dialog === 'passkey'}
      onClose={() => dialog === 'passkey' && screen.close()}
    >
      <Form onSubmit={screen.addPasskey}>
        <p className="text-muted">{profileDialogsTexts.addPasskeyAbout}</p>
        <Field
          {...field('passkeyName')}
          label={profileDialogsTexts.passkeyName}
          name="passkey-name"
          autoComplete="off"
          maxLength={60}
          placeholder={profileDialogsTexts.passkeyNameExample}
        />
        <Actions
          busy={busy === 'addPasskey'}
          busyLabel={profileDialogsTexts.waitingForPasskey}
          label={profileDialogsTexts.continue}
          onCancel={screen.close}
        />
      </Form>
    </Dialog>
  )
}

export function AddTotp({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, setup, busy, field } = useForm(screen)
  return (
    <Dialog title={profileDialogsTexts.addTotp} open={dialog === 'totp'} onClose={() => dialog === 'totp' && screen.close()}>
      <Form onSubmit={screen.enableTotp}>
        <p className="text-muted">{profileDialogsTexts.addTotpAbout}</p>
        {setup && <QrCode text={setup.uri} label={profileDialogsTexts.qrCode} />}
        {setup && (
          <p className="flex items-center justify-between gap-2 rounded-control bg-raised px-4 py-2 text-sm">
            <span className="min-w-0 break-all">
              {profileDialogsTexts.byHand} <span className="font-medium">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
            </span>
            <CopyText text={setup.secret} label={profileDialogsTexts.key} />
          </p>
        )}
        <CodeField {...field('code')} label={profileDialogsTexts.totpCode} name="totp" digits={CODE_LENGTH} />
        <Actions
          busy={busy === 'enableTotp'}
          busyLabel={profileDialogsTexts.checking}
          label={profileDialogsTexts.turnOn}
          onCancel={screen.close}
        />
      </Form>
    </Dialog>
  )
}

/** Drawn in the browser, so that no other service learns the secret. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [svg, setSvg] = useState<string>()
  useEffect(() => {
    loadChunk(() => import('#lib/client/platform/qr.ts'))
      .then(({ drawQr }) => setSvg(drawQr(text)))
      // Without the code, the customer can type in the key below.
      .catch(() => setSvg(''))
  }, [text])
  if (svg === '') return null
  return svg ? (
    <img className="mx-auto size-48 rounded-control" src={svg} alt={label} />
  ) : (
    <span className="skeleton mx-auto size-48">…</span>
  )
}

export function RecoveryCodes({ screen }: { screen: ProfileScreens['security'] }) {
  const { dialog, recoveryCodes } = useStore(screen.state)
  const all = recoveryCodes.join('\n')
  return (
    <Dialog
      title={profileDialogsTexts.recoveryCodes}
      open={dialog === 'recoveryCodes'}
      onClose={() => dialog === 'recoveryCodes' && screen.close()}
      footer={<Button onClick={screen.close}>{profileDialogsTexts.keptThem}</Button>}
    >
      <p className="text-muted">
        {profileDialogsTexts.recoveryCodesAbout}{' '}
        <strong className="font-semibold text-ink">{profileDialogsTexts.shownOnce}</strong>
      </p>
      <ul className="figure mt-4 grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-raised p-4 text-center font-medium">
        {recoveryCodes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 flex items-center justify-end gap-2 text-sm text-muted">
        {profileDialogsTexts.copyAll}
        <CopyText text={all} label={profileDialogsTexts.allRecoveryCodes} />
      </p>
    </Dialog>
  )
}
