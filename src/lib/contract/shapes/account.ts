/** Shapes of what surrounds the customer: statement, security, identity check, referral. */
import { z } from '@hono/zod-openapi'
import { checkEmail, checkName, checkPhone, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { KYC_LINK_SECONDS, REVIEW_STATUSES } from '#lib/domain/identity/check.ts'
import { LINE_KINDS, STATEMENT_ACCOUNTS } from '#lib/domain/ledger/statement.ts'
import { decimalText, moment, none, ruled, units } from './common.ts'

const done = z.object({ message: z.string() })
const tokens = z.object({ token: z.string(), refreshToken: z.string() })
const email = ruled((text) => checkEmail(normalizeEmail(text)))
  .transform(normalizeEmail)
  .openapi({ type: 'string', example: 'ada@example.com' })
const code = z
  .string()
  .max(40)
  .transform(normalizeCode)
  .refine((text) => text !== '', 'code_required')
  .openapi({ type: 'string', example: '123456' })
/** What a browser's `navigator.credentials` gave, as JSON; the WebAuthn library is who reads it. */
const credential = z.looseObject({
  id: z.string().min(1).max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(20_000) })
})
/** What a browser's `navigator.credentials` is asked with. */
const credentialOptions = z.looseObject({ challenge: z.string() })
const day = z.iso.date().refine((text) => text >= '1970')

export const kycData = z.object({
  id: z.string(),
  review: z.object({ reviewStatus: z.enum(REVIEW_STATUSES) }),
  info: z
    .object({
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      dob: z.string().optional(),
      country: z.string().optional(),
      idDocs: z
        .array(z.object({ idDocType: z.string(), number: z.string().optional(), validUntil: z.string().optional() }))
        .optional()
    })
    .optional()
})

export const withdrawals = z.object({
  allowed: z.boolean(),
  reason: z.enum(['locked', 'resting', 'not_verified']).nullable(),
  until: moment.nullable()
})

const paged = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(100).default(10)
}

export const accountShapes = {
  verifySecondFactor: { body: z.strictObject({ ticket: z.string().min(1).max(200), code }), answer: tokens },
  passkeySignInOptions: { body: none, answer: credentialOptions },
  signInWithPasskey: { body: z.strictObject({ response: credential }), answer: tokens },
  disavowSignIn: { body: z.strictObject({ token: z.string().min(1).max(2000) }), answer: done },
  getStatement: {
    query: z.strictObject({
      currency: z.string().min(1).max(20),
      account: z.enum(STATEMENT_ACCOUNTS).default('total'),
      kind: z.enum(LINE_KINDS).optional(),
      from: day.optional(),
      to: day.optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(20),
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0)
    }),
    answer: z.object({
      currency: z.string(),
      account: z.enum(STATEMENT_ACCOUNTS),
      balance: units,
      total: z.number().int(),
      lines: z.array(
        z.object({
          id: z.string(),
          at: moment,
          kind: z.enum(LINE_KINDS),
          /** Signed: what it added to the account, or took from it. */
          amount: z.string().regex(/^-?\d{1,78}$/),
          balanceAfter: units,
          counterpart: z.object({ owner: z.enum(['you', 'house', 'customer']), account: z.string() }),
          orderId: z.string().nullable()
        })
      )
    })
  },
  updateProfile: {
    body: z
      .strictObject({
        name: ruled(checkName)
          .transform((text) => text.trim())
          .openapi({ type: 'string' })
          .optional(),
        phone: ruled(checkPhone)
          .transform((text) => text.trim())
          .openapi({ type: 'string' })
          .optional()
      })
      .refine(({ name, phone }) => name !== undefined || phone !== undefined),
    answer: done
  },
  requestEmailChange: { body: z.strictObject({ email }), answer: done },
  confirmEmailChange: { body: z.strictObject({ email, currentCode: code, newCode: code }), answer: done },
  getSecurity: {
    answer: z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          isCurrent: z.boolean(),
          method: z.enum(['sign_up', 'otp', 'password', 'passkey']),
          device: z.string(),
          address: z.string(),
          createdAt: moment,
          lastSeenAt: moment,
          expiresAt: moment
        })
      ),
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          isSynced: z.boolean(),
          createdAt: moment,
          lastUsedAt: moment.nullable()
        })
      ),
      totp: z.object({ isEnabled: z.boolean(), recoveryCodesLeft: z.number().int() }),
      withdrawals
    })
  },
  endSession: { params: z.object({ id: z.uuid() }), body: none, answer: done },
  endOtherSessions: { body: none, answer: done },
  requestConfirmation: {
    body: none,
    answer: z.object({ method: z.enum(['email', 'totp']), hasPasskey: z.boolean(), retryAfterSeconds: z.number().int() })
  },
  confirmWithCode: { body: z.strictObject({ code }), answer: done },
  passkeyConfirmOptions: { body: none, answer: credentialOptions },
  confirmWithPasskey: { body: z.strictObject({ response: credential }), answer: done },
  startTotp: { body: none, answer: z.object({ secret: z.string(), uri: z.string() }) },
  enableTotp: { body: z.strictObject({ code }), answer: z.object({ recoveryCodes: z.array(z.string()) }) },
  disableTotp: { body: none, answer: done },
  renewRecoveryCodes: { body: none, answer: z.object({ recoveryCodes: z.array(z.string()) }) },
  passkeyOptions: { body: none, answer: credentialOptions },
  addPasskey: {
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
  removePasskey: { params: z.object({ id: z.string().min(1).max(2000) }), body: none, answer: done },
  getKycData: { answer: kycData.nullable() },
  getKycLink: {
    body: z.strictObject({ ttlInSecs: z.number().int().min(60).max(KYC_LINK_SECONDS).default(KYC_LINK_SECONDS) }),
    answer: z.object({ url: z.string(), expiresAt: moment })
  },
  receiveIdentityEvent: { body: z.looseObject({}), answer: z.object({ outcome: z.string() }) },
  listReferralRewards: {
    // The newest 600, unless a page is asked for.
    query: z.strictObject({ ...paged, size: z.coerce.number().int().min(1).max(600).default(600) }),
    answer: z.array(
      z.object({
        order_id: z.string(),
        token: z.string(),
        reward_amount: units,
        order_amount: decimalText,
        order_status: z.number().int(),
        createdAt: moment
      })
    )
  },
  listInvitees: {
    query: z.strictObject(paged),
    answer: z.object({ data: z.array(z.object({ id: z.string(), email: z.string() })), total: z.number().int() })
  }
}
