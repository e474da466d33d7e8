/** Watchman (https://github.com/moov-io/watchman) of our own, version 2 of its API. It reads the lists of the EU, the UN, the UK and the US. */
import { z } from 'zod'
import { type Birth, matchBirth } from '#lib/domain/screening/names.ts'
import { type AskedName, type Listed, type NameScreen, ScreeningError } from '../port.ts'

const TIMEOUT_MS = 5000
const MOST = 20
/**
 * An exact name without a birth date has 0.81 to 0.86 there, and one with another birth date 0.74. This is what its documentation calls typical.
 */
const LEAST_MATCH = 0.8

const entity = z.object({
  name: z.string(),
  entityType: z.string().optional(),
  sourceList: z.string(),
  sourceID: z.string(),
  match: z.number(),
  person: z.object({ birthDate: z.string().nullish(), titles: z.array(z.string()).nullish() }).nullish()
})
const answer = z.object({ entities: z.array(entity).nullable() })
const info = z.object({ lists: z.record(z.string(), z.number()), endedAt: z.string() })

/** `address`: where it listens. Names are in its addresses: keep it inside, and off every log. */
export function watchman(address: string): NameScreen {
  async function ask<T>(path: string, shape: z.ZodType<T>): Promise<T> {
    const response = await fetch(new URL(path, address), { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error: unknown) => {
        throw new ScreeningError(`Watchman does not answer: ${error instanceof Error ? error.name : 'no reason given'}`)
      }
    )
    if (!response.ok) throw new ScreeningError(`Watchman answers ${response.status}`)
    const read = shape.safeParse(await response.json().catch(() => undefined))
    if (!read.success) throw new ScreeningError('The answer of Watchman is not what is documented')
    return read.data
  }

  return {
    source: 'watchman',
    refresh: async () => {
      const { lists, endedAt } = await ask('/v2/listinfo', info)
      const entries = Object.values(lists).reduce((sum, count) => sum + count, 0)
      if (entries === 0) throw new ScreeningError('Watchman has no list')
      return { version: endedAt, entries }
    },
    search: async ({ name, birthDate, isPerson }: AskedName) => {
      const asked = new URLSearchParams({ name, limit: String(MOST), minMatch: String(LEAST_MATCH) })
      if (isPerson) asked.set('type', 'person')
      // It refuses a birth date of anything but a person.
      if (isPerson && birthDate) asked.set('birthDate', birthDate)
      const { entities } = await ask(`/v2/search?${asked}`, answer)
      return (entities ?? []).map((found) => listedOf(found, birthDate))
    }
  }
}

function listedOf({ name, sourceList, sourceID, match, person }: z.infer<typeof entity>, birthDate: string | undefined): Listed {
  const born = person?.birthDate?.slice(0, 10)
  const births: Birth[] = born && /^\d{4}-\d{2}-\d{2}$/.test(born) ? [{ from: born, to: born }] : []
  return {
    source: 'watchman',
    entryId: `${sourceList}:${sourceID}`,
    listed: name,
    about: [sourceList, ...(person?.titles ?? [])].join(', '),
    births,
    score: match,
    birth: matchBirth(birthDate, births)
  }
}
