/** Shapes of the desk's calls about its own people: how they sign in, their keys and roles, and the settings. */
import { z } from '@hono/zod-openapi'
import { RIGHT_NAMES, ROLES } from '#lib/domain/staff/rights.ts'
import { SETTING_NAMES } from '#lib/domain/staff/settings.ts'
import { done, json, moment, proposed, type SomeShapes, units, uuid, why } from './parts.ts'

/** What a browser's passkey returned. */
const passkey = z.record(z.string(), z.unknown())
const webauthnOptions = z.record(z.string(), z.unknown())
const token = z.string().min(20).max(100)
const personName = z.string().trim().min(2, 'Name the person.').max(80, 'At most 80 characters.')
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'This is no e-mail address.')
const roles = z.array(z.enum(ROLES)).min(1, 'Choose at least one role.').max(ROLES.length)
const keyName = z.string().trim().min(1, 'Name the passkey.').max(60, 'At most 60 characters.')
const person = z.object({ id: z.string(), name: z.string(), email: z.string(), roles: z.array(z.enum(ROLES)) })
const key = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  approvesFrom: moment,
  isSynced: z.boolean()
})

export const staffShapes = {
  getSignInOptions: { body: z.strictObject({}), answer: webauthnOptions },
  signIn: { body: z.strictObject({ response: passkey }), answer: done },
  showInvitation: { body: z.strictObject({ token }), answer: person.omit({ id: true }) },
  getInvitationOptions: { body: z.strictObject({ token }), answer: webauthnOptions },
  acceptInvitation: { body: z.strictObject({ token, keyName, response: passkey }), answer: done },
  signOut: { body: z.strictObject({}), answer: done },
  askForPasskey: {
    body: z.strictObject({
      call: z.string().max(60),
      params: z.record(z.string(), z.string()).default({}),
      body: json.default({})
    }),
    answer: webauthnOptions
  },
  getNewKeyOptions: { body: z.strictObject({}), answer: webauthnOptions },
  addKey: { body: z.strictObject({ keyName, response: passkey }), answer: done },
  removeKey: { params: z.strictObject({ id: z.string().max(1400) }), body: z.strictObject({}), answer: done },
  getMe: {
    answer: person.extend({
      rights: z.array(z.enum(RIGHT_NAMES as [string, ...string[]])),
      keys: z.array(key),
      expiresAt: moment,
      onCallSince: moment.nullable()
    })
  },
  setOnCall: { body: z.strictObject({ isOnCall: z.enum(['yes', 'no']) }), answer: done },
  listPeople: {
    answer: z.object({
      people: z.array(
        person.extend({
          createdAt: moment,
          stoppedAt: moment.nullable(),
          keys: z.number().int(),
          isHere: z.boolean(),
          lastSeenAt: moment.nullable()
        })
      ),
      invitations: z.array(person.extend({ expiresAt: moment, by: z.string() })),
      settings: z.array(
        z.object({
          name: z.enum(SETTING_NAMES as [string, ...string[]]),
          value: units,
          unit: z.enum(['USD', 'EUR', 'count', 'seconds', 'days'])
        })
      )
    })
  },
  proposeInvitation: { body: z.strictObject({ name: personName, email, roles, why }), answer: proposed },
  proposeRoles: { params: z.strictObject({ id: uuid }), body: z.strictObject({ roles, why }), answer: proposed },
  stopPerson: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  withdrawInvitation: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  proposeSetting: {
    params: z.strictObject({ name: z.enum(SETTING_NAMES as [string, ...string[]]) }),
    body: z.strictObject({ value: units, why }),
    answer: proposed
  }
} satisfies SomeShapes
