function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Whole seconds in words: `1 minute 5 seconds`, `2 minutes`, `45 seconds`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const minutes = Math.floor(whole / 60)
  const rest = whole % 60
  const parts = [minutes > 0 ? counted(minutes, 'minute') : '', rest > 0 || minutes === 0 ? counted(rest, 'second') : '']
  return parts.filter(Boolean).join(' ')
}

/** A countdown: `29:05`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
