import { timeLeftTexts } from '#messages/orders/timeLeft.ts'

/** Time left with days, down to the second: `3 days 04:05:09`, `1 day 00:00:00`, `23:59:59`. Never below zero. */
export function formatTimeLeft(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const days = Math.floor(whole / 86_400)
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
  const digits = clock.map((part) => String(part).padStart(2, '0')).join(':')
  return days > 0 ? `${timeLeftTexts.days(days)} ${digits}` : digits
}
