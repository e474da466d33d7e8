/** The shapes of the desk's calls. */
import { z } from '@hono/zod-openapi'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import type { DeskCallName } from './calls.ts'
import { caseShapes } from './caseShapes.ts'
import { customerShapes } from './customerShapes.ts'
import { houseShapes } from './houseShapes.ts'
import { type DeskShape, day, done, fileAnswer, moment, stop, units } from './parts.ts'
import { paymentShapes } from './paymentShapes.ts'
import { proposalShapes } from './proposalShapes.ts'
import { screeningShapes } from './screeningShapes.ts'
import { staffShapes } from './staffShapes.ts'
import { walletShapes } from './walletShapes.ts'
import { withdrawalShapes } from './withdrawalShapes.ts'

const queue = z.object({
  queue: z.string(),
  count: z.number().int(),
  usdCents: units.nullable(),
  eurCents: units.nullable(),
  oldestAt: moment.nullable()
})
const alarm = z.object({
  name: z.string(),
  says: z.string(),
  since: moment.nullable(),
  shown: z.string().nullable(),
  shownLimit: z.string().nullable(),
  takenBy: z.string().nullable(),
  isBad: z.boolean()
})

export const deskShapes = {
  getQueues: { answer: z.array(queue) },
  getOverview: {
    answer: z.object({
      queues: z.array(queue),
      faults: z.array(alarm),
      /** How many rules are quiet, raised and unknown. */
      rules: z.object({ quiet: z.number().int(), raised: z.number().int(), unknown: z.number().int() }),
      /** The parts of the product, each by its rule: what was measured last, and its limit. `unknown`: its rule has not run. */
      health: z.array(
        z.object({
          part: z.string(),
          state: z.enum(['quiet', 'raised', 'unknown']),
          shown: z.string().nullable(),
          shownLimit: z.string().nullable()
        })
      ),
      chains: z.array(z.object({ chain: z.enum(CHAINS), stops: z.array(stop) })),
      books: z.array(
        z.object({
          currency: z.string(),
          claims: units,
          coins: units,
          owed: units,
          /** On the chain or at the bank by the last comparison, and by how much the books differed then. */
          chain: z.string().nullable(),
          difference: z.string().nullable(),
          /** `moved`: they were equal when they were compared, and something was booked since. */
          state: z.enum(['equal', 'moved', 'short', 'unverified']),
          comparedAt: moment.nullable()
        })
      ),
      isMigrateInvitation: z.boolean(),
      onCall: z.array(z.string()),
      /** Whether names are looked up, and since when by this list. */
      screening: z.object({ state: z.enum(['off', 'current', 'stale']), readAt: moment.nullable(), error: z.string().nullable() })
    })
  },
  listRules: {
    answer: z.array(
      z.object({
        name: z.string(),
        rule: z.string(),
        ranAt: moment,
        state: z.enum(['quiet', 'raised', 'unknown']),
        says: z.string(),
        shown: z.string(),
        shownLimit: z.string(),
        /** The limit that staff may set, where the rule has one. */
        limit: units.nullable(),
        unit: z.string()
      })
    )
  },
  ...staffShapes,
  ...houseShapes,
  takeAlarm: { params: z.strictObject({ name: z.string().min(1).max(120) }), body: z.strictObject({}), answer: done },
  ...withdrawalShapes,
  ...walletShapes,
  ...caseShapes,
  ...screeningShapes,
  ...paymentShapes,
  ...proposalShapes,
  ...customerShapes,
  listReports: { answer: z.array(z.object({ day, madeAt: moment })) },
  getReport: {
    params: z.strictObject({ day }),
    answer: z.object({
      day,
      madeAt: moment,
      sections: z.array(
        z.object({
          title: z.string(),
          columns: z.array(z.string()),
          rows: z.array(z.object({ cells: z.array(z.string()), href: z.string().optional(), isBad: z.boolean().optional() })),
          foot: z.string().optional()
        })
      )
    })
  },
  exportReport: {
    params: z.strictObject({ day }),
    body: z.strictObject({ format: z.enum(['pdf', 'csv']) }),
    answer: fileAnswer
  }
} satisfies Record<DeskCallName, DeskShape>
type DeskShapes = typeof deskShapes

type Part<K extends DeskCallName, P extends string> = DeskShapes[K] extends { [key in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined
export type DeskAnswer<K extends DeskCallName> = z.output<DeskShapes[K]['answer']>
export type DeskInput<K extends DeskCallName> = { params: Part<K, 'params'>; query: Part<K, 'query'>; body: Part<K, 'body'> }
