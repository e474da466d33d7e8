import type { ReactNode } from 'react'

type Props = {
  /** Afterwards the first invalid field gets the focus; if it returns a promise, after the promise settles. */
  onSubmit: () => unknown
  onInput?: () => void
  /** The page that receives the form before hydration and without JavaScript. */
  action?: string
  className?: string
  children: ReactNode
}

async function submit(form: HTMLFormElement, onSubmit: () => unknown): Promise<void> {
  await onSubmit()
  // After the error messages are rendered.
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** Fields in a column. The screen validates them and shows the errors, not the browser. */
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
