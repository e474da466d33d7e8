import { durationTexts } from '#messages/platform/duration.ts'

/** Whole seconds in words: `1 minute 5 seconds`, `2 minutes`, `45 seconds`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const minutes = Math.floor(whole / 60)
  const rest = whole % 60
  const parts = [minutes > 0 ? durationTexts.minutes(minutes) : '', rest > 0 || minutes === 0 ? durationTexts.seconds(rest) : '']
  return parts.filter(Boolean).join(' ')
}

/** A countdown: `29:05`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
