import type { APIRoute } from 'astro'
import ical from 'ical-generator'
import { browserOf } from '#layouts/platform/page.ts'
import { BRAND } from '#lib/domain/brand.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { rewardsTexts as texts } from '#messages/staking/rewards.ts'

const REREAD_SECONDS = 12 * 3600

/** The reward calendar for calendar programs (iCalendar, RFC 5545), behind its private link. Days are UTC days. */
export const GET: APIRoute = async (context) => {
  const { params, locals, url } = context
  const { data, failure } = await locals.app.submit(browserOf(context), 'readRewardFeed', {
    token: (params.token ?? '').slice(0, 100)
  })
  const headers = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' }
  if (!data) {
    const status = failure?.code === 'link_invalid' || failure?.code === 'invalid_fields' ? 404 : (failure?.statusCode ?? 503)
    return new Response(failure?.message ?? '', { status, headers })
  }
  const calendar = ical({
    name: texts.name(BRAND.name),
    prodId: { company: BRAND.name, product: 'rewards' },
    ttl: REREAD_SECONDS
  })
  for (const { id, day, kind, currency, units, state } of data.events) {
    calendar.createEvent({
      id: `${id}@${url.hostname}`,
      start: new Date(`${day}T00:00:00Z`),
      allDay: true,
      timezone: 'UTC',
      stamp: new Date(data.asOf),
      summary: texts.event(texts.kinds[kind], `${formatShortUnits(units, currency)} ${currency}`),
      description: state === 'paid' ? texts.paid : texts.expected
    })
  }
  return new Response(calendar.toString(), { headers: { ...headers, 'Content-Type': 'text/calendar; charset=utf-8' } })
}
