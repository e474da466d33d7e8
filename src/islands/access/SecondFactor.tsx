import { useEffect, useRef, useState } from 'react'
import { createSecondFactor } from '#lib/client/access/secondFactor.ts'
import { CODE_LENGTH } from '#lib/domain/access/credentials.ts'
import { secondFactorTexts } from '#messages/access/secondFactor.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'

type Props = {
  ticket: string
  /** The error of a code that a form without JavaScript sent. */
  error?: string | undefined
  onSignedIn: () => void
  onTooLate: (why: string) => void
}

export default function SecondFactor({ ticket, error, onSignedIn, onTooLate }: Props) {
  const [screen] = useState(() => createSecondFactor(ticket, { onSignedIn, onTooLate }, error))
  const { isRecovery, fields, errors, isBusy, field } = useForm(screen)
  const input = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the field, and each refusal
  useEffect(() => input.current?.focus(), [isRecovery, errors.code])

  const shared = { ...field('code'), inputRef: input, readOnly: isBusy }
  return (
    <Form action="/sign-in" onSubmit={screen.submit}>
      <input type="hidden" name="ticket" value={ticket} />
      <h2 className="section-title">{secondFactorTexts.title}</h2>
      {isRecovery ? (
        <Field
          {...shared}
          label={secondFactorTexts.recoveryCode}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={secondFactorTexts.recoveryCodeExample}
          className="figure"
          hint={secondFactorTexts.recoveryCodeHint}
        />
      ) : (
        <CodeField
          {...shared}
          label={secondFactorTexts.code}
          name="code"
          digits={CODE_LENGTH}
          hint={secondFactorTexts.codeHint}
        />
      )}
      <Button
        plain
        type="submit"
        name="do"
        value="second-factor"
        busy={isBusy}
        busyLabel={secondFactorTexts.verifying}
        disabled={fields.code === ''}
        className="w-full"
      >
        {secondFactorTexts.verify}
      </Button>
      <Button look="quiet" className="w-full" onClick={screen.toggleRecovery}>
        {isRecovery ? secondFactorTexts.useApp : secondFactorTexts.useRecoveryCode}
      </Button>
    </Form>
  )
}
