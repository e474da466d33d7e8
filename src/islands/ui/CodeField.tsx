import type { ComponentProps } from 'react'
import { Field } from './Field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'autoComplete' | 'placeholder' | 'className'> & { digits: number }

/** A field for a one-time code: browsers and phones can fill it in, it accepts pasted spaces, and phones show the digit keys. */
export function CodeField({ digits, ...rest }: Props) {
  return (
    <Field
      inputMode="numeric"
      {...rest}
      autoComplete="one-time-code"
      placeholder={'0'.repeat(digits)}
      className="figure text-center text-2xl font-medium tracking-[0.3em]"
    />
  )
}
