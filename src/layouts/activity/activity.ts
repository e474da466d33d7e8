/** The filter in the activity's URL, and its lines grouped by day. */
import dayjs from 'dayjs'
import { ACTIVITY_FILTERS, type ActivityFilterKind } from '#lib/domain/activity/kinds.ts'
import { dayIn, formatDay } from '#lib/format/dates.ts'
import { activityTexts } from '#messages/activity/activity.ts'
import { language } from '#messages/language.ts'

export type ActivityFilter = { kind?: ActivityFilterKind; search?: string }

const LONGEST_SEARCH = 100

export function readActivityFilter(search: URLSearchParams): ActivityFilter {
  const kind = ACTIVITY_FILTERS.find((one) => one === search.get('kind'))
  const text = (search.get('search') ?? '').trim().slice(0, LONGEST_SEARCH)
  return { ...(kind && { kind }), ...(text && { search: text }) }
}

export type Day<T> = { day: string; heading: string; date: string; lines: T[] }

/** Lines grouped by their day in the time zone, with the day's name: today, yesterday, or its weekday. */
export function byDay<T extends { at: string }>(lines: T[], timeZone: string, now: Date): Day<T>[] {
  const days = new Map<string, T[]>()
  for (const line of lines) {
    const day = dayIn(line.at, timeZone)
    days.set(day, [...(days.get(day) ?? []), line])
  }
  const today = dayIn(now.toISOString(), timeZone)
  const yesterday = dayjs(today).subtract(1, 'day').format('YYYY-MM-DD')
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return [...days].map(([day, ofDay]) => ({
    day,
    heading:
      day === today
        ? activityTexts.today
        : day === yesterday
          ? activityTexts.yesterday
          : weekday.format(new Date(`${day}T00:00:00Z`)),
    date: formatDay(`${day}T00:00:00Z`),
    lines: ofDay
  }))
}
