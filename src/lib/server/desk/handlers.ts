/** The calls of the desk. The edge (`app/deskApi.ts`) has checked session, right, input and passkey before any of these runs. */

import { HOLD_DAYS } from '#lib/domain/staff/sessions.ts'
import { DESK_SETTINGS, type DeskSetting } from '#lib/domain/staff/settings.ts'
import { verifiedNameOf } from '../payments/index.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { countAgainst } from '../platform/limits.ts'
import {
  type ActOf,
  acceptInvitation,
  addKeyOptions,
  addStaffKey,
  approveProposal,
  approvesFrom,
  type DeskActs,
  DeskError,
  decideBriefly,
  deskSettings,
  endStaffSession,
  factsNow,
  findInvitation,
  findPerson,
  findProposal,
  invitationOptions,
  keepEntry,
  keysOf,
  listProposals,
  namesOf,
  propose,
  rejectProposal,
  removeStaffKey,
  repeatProposal,
  type Staff,
  setOnCall,
  signInOptions,
  signInStaff,
  staffActor,
  stopPerson,
  withdrawInvitation
} from '../staff/index.ts'
import { queuedOf, queueOf, signedSince } from '../withdrawals/index.ts'
import { deskActs } from './acts.ts'
import { bankFileHandlers } from './bankFiles.ts'
import { carryStateOf } from './carried.ts'
import { caseHandlers } from './cases.ts'
import { customerActHandlers } from './customerActs.ts'
import { customerOf, endSessionsOfCustomer, explainBalance, findCustomers, holdCustomer, requireOthers } from './customers.ts'
import { houseOf, linesOf } from './house.ts'
import { carriedActs, houseActHandlers } from './houseActs.ts'
import { nameOf } from './names.ts'
import { overviewOf, queuesOf, stopsOfChains } from './overview.ts'
import { paymentHandlers } from './payments.ts'
import { auditOf, peopleOf, shownProposal, shownWithdrawal } from './present.ts'
import { refundHandlers } from './refunds.ts'
import { findReport, listReports } from './report.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import { screeningHandlers } from './screening.ts'
import type { DeskSettings } from './settings.ts'
import { orderPayment, stuckPayments } from './stuck.ts'
import type { DeskHandlers } from './types.ts'
import { walletHandlers } from './wallets.ts'
import { approve, askForPasskey, reject } from './withdrawals.ts'

const done = (message: string) => ({ message })

export function deskHandlers(context: Context, settings: DeskSettings): DeskHandlers {
  const acts = deskActs(settings)
  const actOf = requireAct(acts)
  const proposes = (staff: Staff, right: Parameters<ActOf>[0], input: Record<string, unknown>, why: string) =>
    propose(context, staff, actOf(right), { input, why }).then((proposalId) => ({ proposalId }))
  return {
    getSignInOptions: ({ site }) => signInOptions(context, site),
    signIn: async ({ body, site }) => ({ data: done('Signed in.'), session: await signInStaff(context, body.response, site) }),
    showInvitation: async ({ body }) => {
      const { name, email, roles } = await findInvitation(context, body.token)
      return { name, email, roles }
    },
    getInvitationOptions: ({ body, site }) => invitationOptions(context, body.token, site),
    acceptInvitation: async ({ body, site }) => ({
      data: done('Welcome.'),
      session: await acceptInvitation(context, { ...body, site })
    }),
    signOut: async ({ staff }) => {
      await endStaffSession(context, staff)
      return { data: done('Signed out.'), isOver: true as const }
    },
    askForPasskey: ({ body, staff, site }) => askForPasskey(context, settings, { ...body, staff, site }),
    getNewKeyOptions: ({ staff, site }) => addKeyOptions(context, staff, site),
    addKey: async ({ staff, body, site }) => {
      await decideBriefly(context, staff, 'none', async (work) => {
        await addStaffKey(context, work, staff, { ...body, site })
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'add_key',
          subject: `staff:${staff.id}`,
          why: '',
          details: { key: body.keyName }
        })
      })
      return done('Added. Your page says from when it approves.')
    },
    removeKey: async ({ staff, params }) => {
      await decideBriefly(context, staff, 'none', async (work) => {
        await removeStaffKey(work, staff, params.id)
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'remove_key',
          subject: `staff:${staff.id}`,
          why: '',
          details: { key: params.id }
        })
      })
      return done('Removed.')
    },
    getMe: async ({ staff }) => {
      const { id, name, email, roles, rights, expiresAt } = staff
      const keys = (await keysOf(context.db, id)).map((key) => ({
        id: key.id,
        name: key.name,
        createdAt: key.createdAt.toISOString(),
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
        approvesFrom: approvesFrom(key, settings.keyRestHours).toISOString(),
        isSynced: key.isSynced
      }))
      const person = await findPerson(context.db, id)
      const onCallSince = person?.onCallSince?.toISOString() ?? null
      return { id, name, email, roles, rights, keys, expiresAt: expiresAt.toISOString(), onCallSince }
    },
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
    ...houseActHandlers(context, proposes),
    takeAlarm: async ({ staff, params }) => {
      await decideBriefly(context, staff, 'take_alarm', async (work) => {
        if (!(await settings.takeAlarm(work, params.name, actorText(staffActor(staff))))) throw new DeskError('alarm_over')
        await keepEntry(work, { actor: staffActor(staff), act: 'take_alarm', subject: `alarm:${params.name}`, why: '' })
      })
      return done('You look after it now.')
    },
    setOnCall: async ({ staff, body }) => {
      const isOnCall = body.isOnCall === 'yes'
      await decideBriefly(context, staff, 'none', async (work) => {
        await setOnCall(work, staff.id, isOnCall)
        await keepEntry(work, {
          actor: staffActor(staff),
          act: isOnCall ? 'on_call' : 'off_call',
          subject: `staff:${staff.id}`,
          why: ''
        })
      })
      return done(isOnCall ? 'You are on call: alarms are mailed to you.' : 'You are not on call any more.')
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
    listProposals: async ({ query, staff }) => {
      const [list, names] = await Promise.all([listProposals(context, query.filter, staff.rights), namesOf(context.db)])
      // A list needs no plan and no fact.
      return list.map((proposal) => ({ ...shownProposal(proposal, { names, staff, acts }), plan: [], facts: [] }))
    },
    getProposal: async ({ params, staff }) => {
      const [proposal, names] = await Promise.all([findProposal(context, params.id), namesOf(context.db)])
      // A proposal names people and reasons: it is read by those who may decide it.
      if (!staff.rights.includes(proposal.act)) throw new DeskError('not_found')
      const now = proposal.state === 'open' ? await factsNow(context, actOf(proposal.act), proposal) : undefined
      const carried = await carryStateOf(context, carriedActs, proposal)
      return shownProposal(proposal, { names, staff, acts, now, carried })
    },
    approveProposal: async ({ staff, params, body }) => {
      const { isByWorker } = await approveProposal(context, staff, actOf, { id: params.id, why: body.why })
      return done(isByWorker ? 'Approved. It is carried out within a minute.' : 'Approved, and carried out.')
    },
    rejectProposal: async ({ staff, params, body }) => {
      await rejectProposal(context, staff, actOf, { id: params.id, why: body.why })
      return done('Rejected. Nothing was changed.')
    },
    repeatProposal: async ({ staff, params, body }) => ({
      proposalId: await repeatProposal(context, staff, actOf, { id: params.id, why: body.why })
    }),
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
    listPeople: () => peopleOf(context),
    proposeInvitation: ({ staff, body: { why, ...invited } }) => proposes(staff, 'invite_person', invited, why),
    proposeRoles: ({ staff, params, body }) => proposes(staff, 'change_roles', { id: params.id, roles: body.roles }, body.why),
    stopPerson: async ({ staff, params, body }) => {
      if (params.id === staff.id) throw new DeskError('own_account')
      await decideBriefly(context, staff, 'stop_person', async (work) => {
        const { name, roles } = await stopPerson(work, params.id)
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'stop_person',
          subject: `staff:${params.id}`,
          why: body.why,
          details: { name, roles }
        })
      })
      context.log.error({ staff: params.id }, "a person was stopped: take their keys out of the signer's lists")
      return done(
        'Stopped. Their sessions are over, and the signer takes nothing of theirs. Its keeper takes their keys out of its lists.'
      )
    },
    withdrawInvitation: async ({ staff, params, body }) => {
      await decideBriefly(context, staff, 'stop_person', async (work) => {
        const { name, email } = await withdrawInvitation(work, params.id)
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'withdraw_invitation',
          subject: `invitation:${email}`,
          why: body.why,
          details: { name }
        })
      })
      return done('Withdrawn. Its link opens nothing any more.')
    },
    proposeSetting: ({ staff, params, body }) =>
      proposes(staff, 'change_setting', { name: params.name, value: body.value }, body.why),
    findCustomers: ({ query }) => findCustomers(context, query.q),
    getCustomer: ({ staff, params, query }) => customerOf(context, settings, staff, { ...params, ...query }),
    explainBalance: ({ params, query }) => explainBalance(context, { ...params, ...query }),
    noteCustomer: async ({ staff, params, body }) => {
      await requireOthers(context, staff, params.id)
      await decideBriefly(context, staff, 'note_customer', (work) =>
        keepEntry(work, { actor: staffActor(staff), act: 'note_customer', subject: `customer:${params.id}`, why: body.why })
      )
      return done('Noted. It stays as it is.')
    },
    holdAccount: ({ staff, params, body }) =>
      holdCustomer(context, { staff, userId: params.id, why: body.why, days: HOLD_DAYS.short, right: 'hold_account' }),
    holdLonger: ({ staff, params, body }) =>
      holdCustomer(context, { staff, userId: params.id, why: body.why, days: Number(body.days), right: 'hold_longer' }),
    proposeRelease: async ({ staff, params, body }) => {
      await requireOthers(context, staff, params.id)
      return proposes(staff, 'release_hold', { id: params.id, holdId: body.holdId }, body.why)
    },
    endCustomerSessions: ({ staff, params, body }) => endSessionsOfCustomer(context, { staff, userId: params.id, why: body.why }),
    showPersonalData: async ({ staff, params, body }) => {
      await countAgainst(context, [{ key: `desk:reveal:${staff.id}`, ...REVEALS }])
      const email = await requireOthers(context, staff, params.id)
      const name = await verifiedNameOf(context.db, params.id)
      await decideBriefly(context, staff, 'show_personal_data', (work) =>
        keepEntry(work, { actor: staffActor(staff), act: 'show_personal_data', subject: `customer:${params.id}`, why: body.why })
      )
      const until = new Date(context.clock().getTime() + REVEALED_MINUTES * 60_000).toISOString()
      return { email, name, until }
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
