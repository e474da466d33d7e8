/** The desk's own people: how they sign in and approve, their keys, who is on call, who comes and goes, and the settings of all. */
import type { Context } from '../platform/context.ts'
import {
  acceptInvitation,
  addKeyOptions,
  addStaffKey,
  approvesFrom,
  DeskError,
  decideBriefly,
  endStaffSession,
  findInvitation,
  findPerson,
  invitationOptions,
  keepEntry,
  keysOf,
  removeStaffKey,
  setOnCall,
  signInOptions,
  signInStaff,
  staffActor,
  stopPerson,
  withdrawInvitation
} from '../staff/index.ts'
import { peopleOf } from './present.ts'
import type { DeskSettings } from './settings.ts'
import type { DeskHandlers, Propose } from './types.ts'
import { askForPasskey } from './withdrawals.ts'

type PeopleCall =
  | 'getSignInOptions'
  | 'signIn'
  | 'showInvitation'
  | 'getInvitationOptions'
  | 'acceptInvitation'
  | 'signOut'
  | 'askForPasskey'
  | 'getNewKeyOptions'
  | 'addKey'
  | 'removeKey'
  | 'getMe'
  | 'setOnCall'
  | 'listPeople'
  | 'proposeInvitation'
  | 'proposeRoles'
  | 'stopPerson'
  | 'withdrawInvitation'
  | 'proposeSetting'

export function peopleHandlers(
  context: Context,
  settings: DeskSettings,
  proposes: Propose<'invite_person' | 'change_roles' | 'change_setting'>
): Pick<DeskHandlers, PeopleCall> {
  return {
    getSignInOptions: ({ site }) => signInOptions(context, site),
    signIn: async ({ body, site }) => ({
      data: { message: 'Signed in.' },
      session: await signInStaff(context, body.response, site)
    }),
    showInvitation: async ({ body }) => {
      const { name, email, roles } = await findInvitation(context, body.token)
      return { name, email, roles }
    },
    getInvitationOptions: ({ body, site }) => invitationOptions(context, body.token, site),
    acceptInvitation: async ({ body, site }) => ({
      data: { message: 'Welcome.' },
      session: await acceptInvitation(context, { ...body, site })
    }),
    signOut: async ({ staff }) => {
      await endStaffSession(context, staff)
      return { data: { message: 'Signed out.' }, isOver: true as const }
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
      return { message: 'Added. Your page says from when it approves.' }
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
      return { message: 'Removed.' }
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
      return { message: isOnCall ? 'You are on call: alarms are mailed to you.' : 'You are not on call any more.' }
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
      return {
        message:
          'Stopped. Their sessions are over, and the signer takes nothing of theirs. Its keeper takes their keys out of its lists.'
      }
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
      return { message: 'Withdrawn. Its link opens nothing any more.' }
    },
    proposeSetting: ({ staff, params, body }) =>
      proposes(staff, 'change_setting', { name: params.name, value: body.value }, body.why)
  }
}
