import type { ReactNode } from 'react'

type Props = {
  /** If it returns a promise, the first wrong field gets the focus once that has settled. */
  onSubmit: () => unknown
  onInput?: () => void
  /** The page that takes the form before hydration, and without scripts. */
  action?: string
  className?: string
  children: ReactNode
}

async function submit(form: HTMLFormElement, onSubmit: () => unknown): Promise<void> {
  await onSubmit()
  // After the messages have been drawn.
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** Fields one below the other; the screen checks them and says what is wrong, not the browser. */
export function Form({ onSubmit, onInput, action, className = 'flex flex-col gap-3', children }: Props) {
  return (
    <form
      method="post"
      action={action}
      noValidate
      onInput={onInput}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget, onSubmit)
      }}
    >
      {children}
    </form>
  )
}
