import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createSignUp, type SignUpField, signUpFields } from '#lib/client/access/signUp.ts'
import { warmUp } from '#lib/client/platform/call.ts'
import { Notices } from '../platform/Notices.tsx'
import { Button } from '../ui/Button.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** `referralCode`: from the invitation link, or empty. */
export function SignUp({ referralCode }: { referralCode: string }) {
  const [screen] = useState(() => createSignUp(referralCode))
  const { values, errors, busy, refusals } = useStore(screen.state)
  const inputs = useRef<Partial<Record<SignUpField, HTMLInputElement | null>>>({})

  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused submit moves the focus once
  useEffect(() => {
    const first = signUpFields.find((field) => errors[field])
    if (first) inputs.current[first]?.focus()
  }, [refusals])

  const bind = (field: SignUpField) => ({
    name: field,
    value: values[field],
    error: errors[field],
    onText: (text: string) => screen.type(field, text),
    onBlur: () => screen.leave(field),
    inputRef: (node: HTMLInputElement | null) => {
      inputs.current[field] = node
    }
  })

  return (
    <Form onInput={warmUp} onSubmit={() => void screen.submit()}>
      <EmailField {...bind('email')} label="Email" autoComplete="email" required />
      <PasswordField {...bind('password')} label="Password" autoComplete="new-password" hint="At least 8 characters." required />
      <Field
        {...bind('phone')}
        label="Phone number"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        placeholder="+43 660 1234567"
        required
      />
      <Field
        {...bind('referralCode')}
        label="Referral code (optional)"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <p className="pb-2 text-sm text-muted">
        By creating an account you agree to the <LegalLink href="/legal/terms-of-service">Terms of Service</LegalLink>, the{' '}
        <LegalLink href="/legal/custody-policy">Custody Policy</LegalLink> and the{' '}
        <LegalLink href="/legal/privacy-policy">Privacy Policy</LegalLink>.
      </p>
      <Button type="submit" busy={busy} busyLabel="Creating…" className="w-full">
        Create Account
      </Button>
      <Notices />
    </Form>
  )
}

/** Opens in a new tab, so that this form keeps what was typed. */
function LegalLink({ href, children }: { href: string; children: string }) {
  return (
    <a className="link" href={href} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
