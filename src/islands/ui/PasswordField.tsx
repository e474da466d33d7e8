import { type ComponentProps, useState } from 'react'
import { hidePassword, showPassword } from '#messages/ui/parts.ts'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'end'>

export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false)
  const toggle = (
    <button
      type="button"
      onClick={() => setShown(!shown)}
      aria-label={shown ? hidePassword : showPassword}
      className="icon-button absolute top-1/2 right-0.5 -translate-y-1/2"
    >
      <Icon>
        <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
        <circle cx="12" cy="12" r="2.75" />
        {shown && <path d="M4 4l16 16" />}
      </Icon>
    </button>
  )
  return <Field {...props} type={shown ? 'text' : 'password'} end={toggle} />
}
