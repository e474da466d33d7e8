import type { depositsCalls } from '#lib/contract/deposits.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { giveDepositDetails } from './details.ts'
import { depositAddress, depositRules, listDeposits } from './read.ts'
import type { DepositSettings } from './receive.ts'

export function depositHandlers(context: Context, settings: DepositSettings): Handlers<keyof typeof depositsCalls> {
  return {
    listDeposits: ({ customer, query }) => listDeposits(context, settings, customer, query),
    giveDepositAddress: ({ customer, body }) => depositAddress(context, settings, customer, body),
    giveDepositDetails: ({ customer, params, body }) => giveDepositDetails(context, customer, { id: params.id, details: body }),
    getDepositRules: () => depositRules(settings)
  }
}
