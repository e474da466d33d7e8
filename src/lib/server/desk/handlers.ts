/** The calls of the desk. The edge (`app/deskApi.ts`) has checked session, right, input and passkey before any of these runs. */

import { DESK_SETTINGS, type DeskSetting } from '#lib/domain/staff/settings.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import {
  type ActOf,
  type DeskActs,
  DeskError,
  decideBriefly,
  deskSettings,
  keepEntry,
  namesOf,
  propose,
  type Staff,
  staffActor
} from '../staff/index.ts'
import { queuedOf, queueOf, signedSince } from '../withdrawals/index.ts'
import { deskActs } from './acts.ts'
import { bankFileHandlers } from './bankFiles.ts'
import { caseHandlers } from './cases.ts'
import { customerActHandlers } from './customerActs.ts'
import { customerHandlers } from './customers.ts'
import { houseOf, linesOf } from './house.ts'
import { houseActHandlers } from './houseActs.ts'
import { nameOf } from './names.ts'
import { overviewOf, queuesOf, stopsOfChains } from './overview.ts'
import { paymentHandlers } from './payments.ts'
import { peopleHandlers } from './people.ts'
import { auditOf, shownWithdrawal } from './present.ts'
import { proposalHandlers } from './proposals.ts'
import { refundHandlers } from './refunds.ts'
import { findReport, listReports } from './report.ts'
import { screeningHandlers } from './screening.ts'
import type { DeskSettings } from './settings.ts'
import { orderPayment, stuckPayments } from './stuck.ts'
import type { DeskHandlers } from './types.ts'
import { walletHandlers } from './wallets.ts'
import { approve, reject } from './withdrawals.ts'

export function deskHandlers(context: Context, settings: DeskSettings): DeskHandlers {
  const acts = deskActs(settings)
  const actOf = requireAct(acts)
  const proposes = (staff: Staff, right: Parameters<ActOf>[0], input: Record<string, unknown>, why: string) =>
    propose(context, staff, actOf(right), { input, why }).then((proposalId) => ({ proposalId }))
  return {
    getQueues: ({ staff }) => queuesOf(context, staff),
    getOverview: ({ staff }) => overviewOf(context, settings, staff),
    listRules: async () => {
      const kept = await deskSettings(context.db)
      return (await settings.rules()).map((run) => {
        const setting = `rule_${run.rule}` as DeskSetting
        const limit = Object.hasOwn(kept, setting) ? kept[setting].toString() : null
        return { ...run, ranAt: run.ranAt.toISOString(), limit, unit: DESK_SETTINGS[setting]?.unit ?? 'count' }
      })
    },
    getHouse: () => houseOf(context),
    listLines: ({ query }) => linesOf(context, query),
    ...peopleHandlers(context, settings, proposes),
    ...proposalHandlers(context, acts, actOf),
    ...customerHandlers(context, settings, proposes),
    ...houseActHandlers(context, proposes),
    takeAlarm: async ({ staff, params }) => {
      await decideBriefly(context, staff, 'take_alarm', async (work) => {
        if (!(await settings.takeAlarm(work, params.name, actorText(staffActor(staff))))) throw new DeskError('alarm_over')
        await keepEntry(work, { actor: staffActor(staff), act: 'take_alarm', subject: `alarm:${params.name}`, why: '' })
      })
      return { message: 'You look after it now.' }
    },
    listWithdrawals: async ({ query }) => {
      const { withdrawal_two_above } = await deskSettings(context.db)
      const dayAgo = new Date(context.clock().getTime() - 24 * 3_600_000)
      const [signed, queued, chains, stuck] = await Promise.all([
        signedSince(context.db, dayAgo),
        queueOf(context, query.filter, withdrawal_two_above),
        stopsOfChains(context),
        stuckPayments(context)
      ])
      const dayCents = settings.signerDayCents
      const signer = { dayCents: dayCents.toString(), leftCents: (signed < dayCents ? dayCents - signed : 0n).toString() }
      return { withdrawals: queued.map(shownWithdrawal), stuck, chains, signer }
    },
    getWithdrawal: async ({ params }) => {
      const { withdrawal_two_above } = await deskSettings(context.db)
      const [found, names] = await Promise.all([queuedOf(context, params.id, withdrawal_two_above), namesOf(context.db)])
      if (!found) throw new DeskError('not_found')
      const { decisions, paidBefore, otherCustomers, ...queued } = found
      return {
        ...shownWithdrawal(queued),
        decisions: decisions.map(({ decision, actor, why, decidedAt, signature, passkey }) => ({
          decision,
          actor: nameOf(names, actor),
          why,
          decidedAt: decidedAt.toISOString(),
          isSigned: signature !== null || passkey !== null
        })),
        paidBefore,
        otherCustomers
      }
    },
    approveWithdrawal: ({ staff, params, body, evidence }) =>
      approve(context, settings, { staff, id: params.id, why: body.why, evidence }),
    rejectWithdrawal: ({ staff, params, body }) => reject(context, { staff, id: params.id, why: body.why }),
    bumpPayment: ({ staff, params, body, evidence }) =>
      orderPayment(context, settings.withdrawals, { kind: 'bump', staff, evidence, ...params, ...body }),
    cancelPayment: ({ staff, params, body, evidence }) =>
      orderPayment(context, settings.withdrawals, { kind: 'cancel', staff, evidence, ...params, ...body }),
    proposeResume: ({ staff, params, body }) =>
      proposes(staff, 'resume_chain', { chain: params.chain, upTo: body.upTo }, body.why),
    ...walletHandlers(context, settings, proposes),
    ...customerActHandlers(context, proposes),
    ...caseHandlers(context, settings),
    ...screeningHandlers(context, proposes),
    ...paymentHandlers(context, proposes),
    ...refundHandlers(context, settings.bank, proposes),
    ...bankFileHandlers(context, settings.bank, proposes),
    listReports: async () => (await listReports(context.db)).map(({ day, madeAt }) => ({ day, madeAt: madeAt.toISOString() })),
    getReport: async ({ params }) => {
      const { day, madeAt, sections } = await requireReport(context, params.day)
      return { day, madeAt: madeAt.toISOString(), sections }
    },
    exportReport: async ({ staff, params, body: { format } }) => {
      const { day, pdf, csv } = await requireReport(context, params.day)
      await decideBriefly(context, staff, 'export_report', (work) =>
        keepEntry(work, {
          actor: staffActor(staff),
          act: 'export_report',
          subject: `report:${day}`,
          why: '',
          details: { format }
        })
      )
      const name = `daily-report-${day}.${format}`
      return format === 'csv'
        ? { name, content: csv, type: 'text/csv', encoding: 'text' as const }
        : { name, content: Buffer.from(pdf).toString('base64'), type: 'application/pdf', encoding: 'base64' as const }
    },
    listAudit: ({ query }) => auditOf(context, settings.withdrawals.proof, query)
  }
}

/** Throws `not_found`. */
async function requireReport({ db }: Context, day: string) {
  const report = await findReport(db, day)
  if (!report) throw new DeskError('not_found')
  return report
}

const requireAct =
  (acts: DeskActs): ActOf =>
  (right) => {
    const act = acts[right]
    if (!act) throw new DeskError('not_found')
    return act
  }
