import { z } from '@hono/zod-openapi'
import {
  checkEmail,
  checkPassword,
  checkPhone,
  checkReferralCode,
  normalizeCode,
  normalizeEmail,
  normalizeReferralCode,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH
} from '#lib/domain/access/credentials.ts'
import { kycData, withdrawals } from './account.ts'
import { moment, none, ruled, units } from './common.ts'

const email = ruled((text) => checkEmail(normalizeEmail(text)))
  .transform(normalizeEmail)
  .openapi({ type: 'string', example: 'ada@example.com' })
const password = ruled(checkPassword).openapi({ type: 'string', minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH })
const typedPassword = z.string().min(1, 'password_required').max(PASSWORD_MAX_LENGTH, 'password_long')
const code = z
  .string()
  .max(40)
  .transform(normalizeCode)
  .refine((text) => text !== '', 'code_required')
  .openapi({ type: 'string', example: '123456' })
const done = z.object({ message: z.string() })
const tokens = z.object({ token: z.string(), refreshToken: z.string() })

const fundingBalance = z.object({ total: units, frozen_balance: units })
const balance = z.object({
  currency: z.string(),
  name: z.string(),
  subName: z.string(),
  type: z.string(),
  mainBalance: units,
  totalBalance: units,
  rewardBalance: units,
  stakedBalance: units,
  accountId: z.string().nullable(),
  accountRs: z.string().nullable(),
  publicKey: z.string().nullable(),
  address: z.string().nullable(),
  p2wpkh_address: z.string().nullable(),
  wallet: z.object({ spotBalance: units, fundingBalance })
})
const transfer = z.strictObject({ currency: z.string().min(1).max(20), amount: units })

export const usersShapes = {
  signUp: {
    body: z.strictObject({
      email,
      password,
      phone: ruled(checkPhone)
        .transform((text) => text.trim())
        .openapi({ type: 'string', example: '+43 660 1234567' }),
      referralCode: ruled(checkReferralCode).transform(normalizeReferralCode).optional().openapi({ type: 'string' })
    }),
    answer: done
  },
  resendSignUpCode: { body: z.strictObject({ email }), answer: done },
  verifySignUp: { body: z.strictObject({ email, token: code }), answer: tokens },
  signIn: { body: z.strictObject({ email, password: typedPassword }), answer: tokens },
  requestOtp: { body: z.strictObject({ email }), answer: done },
  verifyOtp: { body: z.strictObject({ email, otp: code }), answer: tokens },
  forgotPassword: { body: z.strictObject({ email }), answer: done },
  resetPassword: { body: z.strictObject({ email, token: code, password }), answer: done },
  refreshToken: { body: z.strictObject({ refreshToken: z.string().min(1).max(200) }), answer: tokens },
  signOut: { body: none, answer: done },
  getBalance: { answer: z.record(z.string(), balance) },
  moveSpotToFunding: { body: transfer, answer: balance },
  moveFundingToSpot: { body: transfer, answer: balance },
  getProfile: {
    answer: z.object({
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
      withdrawals
    })
  }
}
