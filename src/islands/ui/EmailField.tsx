import type { ComponentProps } from 'react'
import { emailExample } from '#messages/ui/parts.ts'
import { Field } from './Field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'inputMode' | 'autoCapitalize' | 'spellCheck'>

/** An email field with the phone's email keyboard, without spell check or automatic capitals. */
export function EmailField(props: Props) {
  return (
    <Field
      name="email"
      placeholder={emailExample}
      {...props}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
