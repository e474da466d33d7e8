/** The acts of the desk that two persons decide: what each compares, and what it does. */
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { StaffRole } from '#lib/domain/staff/rights.ts'
import { INVITATION_SECONDS } from '#lib/domain/staff/sessions.ts'
import { DESK_SETTINGS, type DeskSetting, isSettingRight } from '#lib/domain/staff/settings.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { formatSetting } from '#lib/format/staff/setting.ts'
import { heldAmong, liftHold, lockHold, userEmailOf } from '../access/index.ts'
import { endStop, openStops } from '../chains/index.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import {
  type AnyAct,
  changeRoles,
  changeSetting,
  type DeskActs,
  DeskError,
  findPerson,
  type Invited,
  invite,
  lockSetting,
  staffActor,
  type TwoPersonAct
} from '../staff/index.ts'
import { byWorker } from './carried.ts'
import { customerActs } from './customerActs.ts'
import { carriedActs } from './houseActs.ts'
import { paymentActs } from './paymentActs.ts'
import { screeningActs } from './screening.ts'
import type { DeskSettings } from './settings.ts'
import { tell } from './tellCustomer.ts'
import { walletActs } from './wallets.ts'

type Resume = { chain: Chain; upTo: string }
type Roles = { id: string; roles: StaffRole[] }
type Setting = { name: DeskSetting; value: string }

/** The stops up to the newest one that was looked at, which must be among them; locked, so that what is compared is what is ended. */
async function stopsOf({ tx }: Work, { chain, upTo }: Resume) {
  const stops = (await openStops(tx, chain, 'sending', true)).filter(({ id }) => id <= BigInt(upTo))
  if (stops.at(-1)?.id !== BigInt(upTo)) return []
  return stops
}

/** Stops that came after the newest one that was looked at stay. */
const resume: TwoPersonAct<Resume> = {
  right: 'resume_chain',
  subjectOf: ({ chain }) => `chain:${chain}`,
  facts: async (work, input) => Object.fromEntries((await stopsOf(work, input)).map(({ id, why }) => [`stop ${id}`, why])),
  run: async (work, input, { by, why }) => {
    const stops = await stopsOf(work, input)
    if (stops.length === 0) throw new DeskError('chain_not_halted')
    await endStop(work, input.chain, { actor: staffActor(by), why }, 'sending', BigInt(input.upTo))
    return stops.map(({ id, why: halted }) => ({ what: `Stop ${id} ends`, value: halted }))
  }
}

/** `deskOrigin`: where the link of the mail leads. */
const invitation = (deskOrigin: () => string): TwoPersonAct<Invited> => ({
  right: 'invite_person',
  subjectOf: ({ email }) => `invitation:${email}`,
  // Who has the name or the address already refuses the act itself.
  facts: async () => ({}),
  run: async (work, { name, email, roles }, { by, proposer }) => {
    const { token, email: address } = await invite(work, { name, email, roles }, { by: proposer, approvedBy: by.id })
    const link = `${deskOrigin()}/join#${token}`
    await work.enqueue(
      mailTo({ email: address, locale: 'en' }, 'staffInvitation', { name, link, hours: INVITATION_SECONDS / 3600 })
    )
    return [
      { what: 'Invited', value: `${name}, ${email}` },
      { what: 'Roles', value: roles.join(', ') }
    ]
  }
})

const newRoles: TwoPersonAct<Roles> = {
  right: 'change_roles',
  subjectOf: ({ id }) => `staff:${id}`,
  personOf: ({ id }) => id,
  facts: async ({ tx }, { id }) => {
    const person = await findPerson(tx, id)
    if (!person) throw new DeskError('not_found')
    return { person: `${person.name}, ${person.email}`, roles: person.roles.join(', '), stopped: person.stoppedAt ? 'yes' : 'no' }
  },
  run: async (work, { id, roles }) => {
    const before = await changeRoles(work, id, roles)
    return [
      { what: 'Person', value: `${before.name}, ${before.email}` },
      { what: 'Roles', value: `${before.roles.join(', ')} → ${roles.join(', ')}` },
      { what: 'Sessions', value: 'ended' }
    ]
  }
}

const setting: TwoPersonAct<Setting> = {
  right: 'change_setting',
  subjectOf: ({ name }) => `setting:${name}`,
  facts: async (work, { name }) => ({ value: formatSetting(await lockSetting(work, name), DESK_SETTINGS[name].unit) }),
  run: async (work, { name, value }, { by }) => {
    if (!isSettingRight(name, BigInt(value)))
      throw new DeskError('invalid_fields', { fields: { value: 'This is outside what can be set.' } })
    const before = await lockSetting(work, name)
    await changeSetting(work, name, BigInt(value), by.id)
    const { unit } = DESK_SETTINGS[name]
    return [{ what: name, value: `${formatSetting(before, unit)} → ${formatSetting(BigInt(value), unit)}` }]
  }
}

const release: TwoPersonAct<{ id: string; holdId: string }> = {
  right: 'release_hold',
  subjectOf: ({ id }) => `customer:${id}`,
  facts: async (work, { id, holdId }) => {
    const hold = await lockHold(work, id, BigInt(holdId))
    if (!hold) throw new DeskError('not_found')
    return { hold: holdId, reason: hold.why ?? hold.reason }
  },
  run: async (work, { id, holdId }, { by }) => {
    const [person, email] = [await findPerson(work.tx, by.id), await userEmailOf(work.tx, id)]
    if (person?.email === email?.toLowerCase()) throw new DeskError('own_account')
    const hold = await lockHold(work, id, BigInt(holdId))
    if (!hold) throw new DeskError('not_found')
    // It ends by the decision about the name alone.
    if (hold.reason === 'screening') throw new DeskError('hold_of_name')
    await liftHold(work, hold)
    // Another hold may stay: then nothing has changed for the customer.
    const [isHeld] = await heldAmong(work.tx, [id], work.now)
    if (!isHeld) await tell(work, id, 'holdReleased', { since: `${formatMoment(hold.createdAt.toISOString())} UTC` })
    return [{ what: `Hold ${holdId} ends`, value: hold.why ?? hold.reason }]
  }
}

const carriedAtDesk: DeskActs = Object.fromEntries(Object.entries(carriedActs).map(([right, act]) => [right, byWorker(act)]))

export function deskActs(settings: DeskSettings): DeskActs {
  return {
    ...paymentActs,
    ...customerActs(settings),
    ...carriedAtDesk,
    ...walletActs,
    ...screeningActs,
    release_hold: release as AnyAct,
    resume_chain: resume as AnyAct,
    invite_person: invitation(settings.deskOrigin) as AnyAct,
    change_roles: newRoles as AnyAct,
    change_setting: setting as AnyAct
  }
}
