import type { ButtonHTMLAttributes } from 'react'
import { useHydrated } from './useHydrated.ts'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'primary' | 'quiet' | 'on-hero'
  /** Replaces the label while `busy`; the button keeps its width and ignores presses. */
  busyLabel?: string
  busy?: boolean
  /** Enabled before hydration and without JavaScript, because its plain form works on its own. */
  plain?: boolean
  /** Disabled until some time has passed, not because a field is missing. */
  waits?: boolean
}

export function Button({
  look = 'primary',
  busy = false,
  busyLabel,
  plain = false,
  waits = false,
  className = '',
  children,
  disabled,
  onClick,
  ...rest
}: Props) {
  // Disabled until hydrated, unless its form works without JavaScript.
  const isHydrated = useHydrated()
  return (
    <button
      type="button"
      {...rest}
      disabled={plain && !isHydrated ? false : disabled || !isHydrated}
      data-waiting={!disabled && !isHydrated ? '' : undefined}
      data-waits={waits ? '' : undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`button button-${look} ${className}`}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="grid justify-items-center *:[grid-area:1/1]">
          <span className={busy ? 'invisible' : ''}>{children}</span>
          <span className={busy ? '' : 'invisible'} aria-hidden={!busy}>
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  )
}
