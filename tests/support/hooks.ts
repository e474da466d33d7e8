/** What follows an order's payment, as in the sandbox. */
import { paymentHooks } from '#lib/server/app/features.ts'

export const hooks = paymentHooks({ referral: { restDays: 14 } }, undefined)
