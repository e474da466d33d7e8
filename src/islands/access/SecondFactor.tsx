import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createSecondFactor } from '#lib/client/access/secondFactor.ts'
import { CODE_LENGTH } from '#lib/domain/access/credentials.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'

type Props = { ticket: string; onSignedIn: () => void; onTooLate: (why: string) => void }

export default function SecondFactor({ ticket, onSignedIn, onTooLate }: Props) {
  const [screen] = useState(() => createSecondFactor(ticket, { onSignedIn, onTooLate }))
  const { code, isRecovery, error, busy } = useStore(screen.state)
  const input = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the field, and each refusal
  useEffect(() => input.current?.focus(), [isRecovery, error])

  const shared = { inputRef: input, value: code, readOnly: busy, onText: screen.type, error }
  return (
    <Form onSubmit={screen.submit}>
      <h2 className="section-title">One more step</h2>
      {isRecovery ? (
        <Field
          {...shared}
          label="Recovery code"
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXXX-XXXXX"
          className="figure"
          hint="Each of your recovery codes works once."
        />
      ) : (
        <CodeField
          {...shared}
          label="Authenticator code"
          name="totp"
          digits={CODE_LENGTH}
          hint="Your authenticator app shows a new code every 30 seconds."
        />
      )}
      <Button type="submit" busy={busy} busyLabel="Verifying…" disabled={code === ''} className="w-full">
        Verify
      </Button>
      <Button look="quiet" className="w-full" onClick={screen.toggleRecovery}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
    </Form>
  )
}
