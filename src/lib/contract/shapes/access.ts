import { z } from '@hono/zod-openapi'
import {
  checkEmail,
  checkPassword,
  normalizeCode,
  normalizeEmail,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH
} from '#lib/domain/access/credentials.ts'
import { checkName, checkPhone, checkReferralCode, normalizeReferralCode } from '#lib/domain/access/person.ts'
import { DISPLAY_CURRENCIES, knownTimeZone, MUTABLE_GROUPS } from '#lib/domain/access/settings.ts'
import { HOLD_REASONS } from '#lib/domain/access/withdrawalGate.ts'
import { ACCOUNT_TERMS, ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { done, moment, none, ruled } from './common.ts'
import { kycData } from './identity.ts'

const tokens = z.object({ token: z.string(), refreshToken: z.string() })
const email = ruled((text) => checkEmail(normalizeEmail(text)))
  .transform(normalizeEmail)
  .openapi({ type: 'string', example: 'ada@example.com' })
const password = ruled(checkPassword).openapi({ type: 'string', minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH })
const typedPassword = z.string().min(1, 'password_required').max(PASSWORD_MAX_LENGTH, 'password_long')
const phone = ruled(checkPhone)
  .transform((text) => text.trim())
  .openapi({ type: 'string', example: '+43 660 1234567' })
const code = z
  .string()
  .max(40)
  .transform(normalizeCode)
  .refine((text) => text !== '', 'code_required')
  .openapi({ type: 'string', example: '123456' })
/** The result of the browser's `navigator.credentials` as JSON, for the WebAuthn library. */
const credential = z.looseObject({
  id: z.string().min(1).max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(20_000) })
})
/** The options for the browser's `navigator.credentials`. */
const credentialOptions = z.looseObject({ challenge: z.string() })

const withdrawals = z.object({
  allowed: z.boolean(),
  reason: z.enum(HOLD_REASONS).nullable(),
  until: moment.nullable()
})

const session = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  method: z.enum(['sign_up', 'otp', 'password', 'passkey']),
  device: z.string(),
  address: z.string(),
  createdAt: moment,
  lastSeenAt: moment,
  expiresAt: moment
})

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  isSynced: z.boolean(),
  createdAt: moment,
  lastUsedAt: moment.nullable()
})

const settings = z.object({
  displayCurrency: z.enum(DISPLAY_CURRENCIES),
  /** An IANA name; null: the device's time zone. */
  timeZone: z
    .string()
    .max(60)
    .refine((name) => knownTimeZone(name) !== undefined)
    .nullable(),
  /** The groups of notices that the customer does not receive by mail. */
  mutedMails: z.array(z.enum(MUTABLE_GROUPS)).max(MUTABLE_GROUPS.length)
})

const profile = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  phone: z.string(),
  address: z.string().nullable(),
  referralCode: z.string(),
  targetReferralCode: z.string().nullable(),
  fbUid: z.string().nullable(),
  createdAt: moment,
  kycData: kycData.nullable(),
  withdrawals,
  settings,
  /** New versions of our terms that the customer has not accepted yet. */
  termsToAccept: z.array(
    z.object({
      name: z.enum([...ACCOUNT_TERMS, ...ORDER_TERMS]),
      title: z.string(),
      version: z.string(),
      /** yyyy-mm-dd */
      effective: z.string(),
      /** What changed, in a sentence. */
      changes: z.string()
    })
  )
})

export const accessShapes = {
  signUp: {
    summary: 'Sign up; a code goes to the address',
    body: z.strictObject({
      email,
      password,
      phone,
      referralCode: ruled(checkReferralCode).transform(normalizeReferralCode).optional().openapi({ type: 'string' })
    }),
    answer: done
  },
  resendSignUpCode: { summary: 'Send the code of a sign-up again', body: z.strictObject({ email }), answer: done },
  verifySignUp: {
    summary: 'Confirm the address; makes the account and signs in',
    body: z.strictObject({ email, token: code }),
    answer: tokens
  },
  signIn: { summary: 'Sign in with a password', body: z.strictObject({ email, password: typedPassword }), answer: tokens },
  requestOtp: { summary: 'Send a sign-in code', body: z.strictObject({ email }), answer: done },
  verifyOtp: { summary: 'Sign in with the code', body: z.strictObject({ email, otp: code }), answer: tokens },
  verifySecondFactor: {
    summary: 'Sign in with the second factor',
    body: z.strictObject({ ticket: z.string().min(1).max(200), code }),
    answer: tokens
  },
  passkeySignInOptions: { summary: 'What a passkey is asked with to sign in', body: none, answer: credentialOptions },
  signInWithPasskey: { summary: 'Sign in with a passkey', body: z.strictObject({ response: credential }), answer: tokens },
  disavowSignIn: {
    summary: 'It was not me: ends all sessions and locks the account',
    body: z.strictObject({ token: z.string().min(1).max(2000) }),
    answer: done
  },
  muteMails: {
    summary: 'Switches off the mails of a link in one of them',
    body: z.strictObject({ token: z.string().min(1).max(2000) }),
    answer: done
  },
  forgotPassword: { summary: 'Send a code to set a new password', body: z.strictObject({ email }), answer: done },
  resetPassword: {
    summary: 'Set a new password with the code; ends every session',
    body: z.strictObject({ email, token: code, password }),
    answer: done
  },
  refreshToken: {
    summary: 'Change the refresh token for a new pair',
    body: z.strictObject({ refreshToken: z.string().min(1).max(200) }),
    answer: tokens
  },
  signOut: { summary: 'End this session', body: none, answer: done },
  getProfile: { summary: "The customer's profile", answer: profile },
  updateProfile: {
    summary: 'Change name and phone',
    body: z
      .strictObject({
        name: ruled(checkName)
          .transform((text) => text.trim())
          .openapi({ type: 'string' })
          .optional(),
        phone: phone.optional()
      })
      .refine((changes) => changes.name !== undefined || changes.phone !== undefined),
    answer: done
  },
  acceptTerms: {
    summary: 'Accept the versions of our terms that were shown',
    body: z.strictObject({
      versions: z.partialRecord(z.enum(ACCOUNT_TERMS), z.string().max(20)).refine((versions) => Object.keys(versions).length > 0)
    }),
    answer: done
  },
  updateSettings: {
    summary: 'Change display currency, time zone, and which notices come by mail',
    body: z.strictObject(settings.partial().shape).refine((changes) => Object.keys(changes).length > 0),
    answer: done
  },
  requestEmailChange: { summary: 'Send codes to both addresses', body: z.strictObject({ email }), answer: done },
  changeEmail: {
    summary: 'Change the address with both codes',
    body: z.strictObject({ email, currentCode: code, newCode: code }),
    answer: done
  },
  getSecurity: {
    summary: 'Sessions, passkeys, authenticator app, withdrawals',
    answer: z.object({
      sessions: z.array(session),
      passkeys: z.array(passkey),
      totp: z.object({ isEnabled: z.boolean(), recoveryCodesLeft: z.number().int() }),
      withdrawals
    })
  },
  endSession: { summary: 'End one of the own sessions', params: z.object({ id: z.uuid() }), body: none, answer: done },
  endOtherSessions: { summary: 'End every session but this one', body: none, answer: done },
  requestReauthentication: {
    summary: 'How to prove again who one is; sends a code where that is by mail',
    body: none,
    answer: z.object({ method: z.enum(['email', 'totp']), hasPasskey: z.boolean(), retryAfterSeconds: z.number().int() })
  },
  reauthenticateWithCode: { summary: 'Prove it with a code', body: z.strictObject({ code }), answer: done },
  passkeyReauthenticationOptions: { summary: 'What a passkey is asked with for that', body: none, answer: credentialOptions },
  reauthenticateWithPasskey: {
    summary: 'Prove it with a passkey',
    body: z.strictObject({ response: credential }),
    answer: done
  },
  startTotp: {
    summary: 'A secret for an authenticator app',
    body: none,
    answer: z.object({ secret: z.string(), uri: z.string() })
  },
  enableTotp: {
    summary: 'Turn the second factor on with its first code',
    body: z.strictObject({ code }),
    answer: z.object({ recoveryCodes: z.array(z.string()) })
  },
  disableTotp: { summary: 'Turn the second factor off', body: none, answer: done },
  renewRecoveryCodes: {
    summary: 'Ten new recovery codes',
    body: none,
    answer: z.object({ recoveryCodes: z.array(z.string()) })
  },
  passkeyOptions: { summary: 'What a new passkey is made with', body: none, answer: credentialOptions },
  addPasskey: {
    summary: 'Add a passkey',
    body: z.strictObject({
      name: z
        .string()
        .transform((text) => text.trim())
        .refine((text) => text !== '' && text.length <= 60, 'passkey_name_required')
        .openapi({ type: 'string' }),
      response: credential
    }),
    answer: done
  },
  removePasskey: {
    summary: 'Remove a passkey',
    params: z.object({ id: z.string().min(1).max(2000) }),
    body: none,
    answer: done
  }
}
