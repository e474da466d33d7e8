import { useState } from 'react'
import { createSignUp, type FirstSignUp, type SignUpField } from '#lib/client/access/signUp.ts'
import { warmUp } from '#lib/client/platform/warmUp.ts'
import { signUpPageTexts } from '#messages/access/signUpPage.ts'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { EmailField } from '../ui/EmailField.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** `first`: an invitation's referral code, or the fields and errors of a form sent without JavaScript. */
export function SignUp({ first }: { first: FirstSignUp }) {
  const [screen] = useState(() => createSignUp(first))
  const { isBusy, field } = useForm(screen)
  const bind = (name: SignUpField) => ({ ...field(name), name, onBlur: () => screen.leave(name) })

  return (
    <Form action="/sign-up" onInput={warmUp} onSubmit={screen.submit}>
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
      <Button plain type="submit" busy={isBusy} busyLabel={signUpPageTexts.creating} className="w-full">
        {signUpPageTexts.create}
      </Button>
      <ToastRegion />
    </Form>
  )
}

/** Opens in a new tab, so that this form keeps its fields. */
function LegalLink({ href, children }: { href: string; children: string }) {
  return (
    <a className="link" href={href} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> {signUpPageTexts.newTab}</span>
    </a>
  )
}
