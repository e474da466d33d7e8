import type { ReactNode } from 'react'

type Props = { onSubmit: () => unknown; onInput?: () => void; children: ReactNode }

/** Fields one below the other; the screen checks them and says what is wrong, not the browser. */
export function Form({ onSubmit, onInput, children }: Props) {
  return (
    <form
      method="post"
      noValidate
      onInput={onInput}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
