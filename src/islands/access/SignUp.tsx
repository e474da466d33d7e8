import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createSignUp, type SignUpField, signUpFields } from '#lib/client/access/signUp.ts'
import { warmUp } from '#lib/client/platform/call.ts'
import { signUpPageTexts } from '#lib/messages/en/signUpPage.ts'
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
      <EmailField {...bind('email')} label={signUpPageTexts.email} autoComplete="email" required />
      <PasswordField
        {...bind('password')}
        label={signUpPageTexts.password}
        autoComplete="new-password"
        hint={signUpPageTexts.passwordHint}
        required
      />
      <Field
        {...bind('phone')}
        label={signUpPageTexts.phone}
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        placeholder={signUpPageTexts.phoneExample}
        required
      />
      <Field
        {...bind('referralCode')}
        label={signUpPageTexts.referralCode}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <p className="pb-2 text-sm text-muted">
        {signUpPageTexts.agree} <LegalLink href="/legal/terms-of-service">{signUpPageTexts.termsOfService}</LegalLink>,{' '}
        {signUpPageTexts.the} <LegalLink href="/legal/custody-policy">{signUpPageTexts.custodyPolicy}</LegalLink>{' '}
        {signUpPageTexts.andThe} <LegalLink href="/legal/privacy-policy">{signUpPageTexts.privacyPolicy}</LegalLink>.
      </p>
      <Button type="submit" busy={busy} busyLabel={signUpPageTexts.creating} className="w-full">
        {signUpPageTexts.create}
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
      <span className="sr-only"> {signUpPageTexts.newTab}</span>
    </a>
  )
}
