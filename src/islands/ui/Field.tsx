import { type InputHTMLAttributes, type ReactNode, type Ref, useEffect, useId, useRef } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  label: string
  value: string
  onText: (text: string) => void
  error?: string | undefined
  hint?: ReactNode
  /** What was typed is checked and right. */
  isGood?: boolean
  /** Shown inside the field at its end, e.g. the eye of a password. */
  end?: ReactNode
  /** Shown next to the label, e.g. an explanation. */
  aside?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

export function Field({ label, value, onText, error, hint, isGood, end, aside, inputRef, className = '', ...rest }: Props) {
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined

  // Take over text typed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, at hydration
  useEffect(() => {
    const typed = own.current?.value ?? ''
    if (typed !== value) onText(typed)
  }, [])

  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <input
          {...rest}
          id={id}
          ref={(node) => {
            own.current = node
            if (typeof inputRef === 'function') inputRef(node)
            else if (inputRef) inputRef.current = node
          }}
          value={value}
          onChange={(event) => onText(event.target.value)}
          aria-invalid={error ? true : undefined}
          data-good={isGood && !error ? '' : undefined}
          aria-describedby={described}
          className={`input ${end ? 'pr-16' : ''} ${className}`}
        />
        {end}
      </div>
      {/* At least one line high, so that a new error does not move the submit button while it is pressed. */}
      <div className="min-h-7 pt-1 text-sm" aria-live="polite">
        {error ? (
          <p id={`${id}-error`} className="text-red">
            {error}
          </p>
        ) : (
          hint && (
            <p id={`${id}-hint`} className={isGood ? 'font-medium text-green' : 'text-muted'}>
              {hint}
            </p>
          )
        )}
      </div>
    </div>
  )
}
