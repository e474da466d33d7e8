import type { withdrawalsCalls } from '#lib/contract/withdrawals.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { keepAddress, removeAddress, setWhitelist } from './addressBook.ts'
import { answerLink, cancelWithdrawal, withdrawalOfLink } from './decide.ts'
import { askForLimit, ownLimit } from './limits.ts'
import { listAddresses, listWithdrawals, present, withdrawalRules } from './read.ts'
import { requestWithdrawal } from './request.ts'
import type { WithdrawalSettings } from './settings.ts'

export function withdrawalHandlers(context: Context, settings: WithdrawalSettings): Handlers<keyof typeof withdrawalsCalls> {
  return {
    listWithdrawals: ({ customer, query }) => listWithdrawals(context, customer, query),
    getWithdrawalRules: ({ customer }) => withdrawalRules(context, settings, customer),
    withdrawCpc: ({ customer, body, idempotencyKey }) => {
      const { accountRs: address, accountId, publicKey, amount, details } = body
      const account = { accountId, publicKey }
      return requestWithdrawal(context, settings, customer, {
        currency: 'CPC',
        amount,
        address,
        account,
        details,
        idempotencyKey
      })
    },
    withdrawEth: ({ customer, body: { receiver, ...rest }, idempotencyKey }) =>
      requestWithdrawal(context, settings, customer, { ...rest, address: receiver, idempotencyKey }),
    withdrawBtc: ({ customer, body, idempotencyKey }) =>
      requestWithdrawal(context, settings, customer, { ...body, currency: 'BTC', idempotencyKey }),
    getOwnLimit: ({ customer }) => ownLimit(context, settings.limits, customer),
    askForLimit: ({ customer, body }) =>
      askForLimit(context, settings.limits, customer, { ...body, dayCents: BigInt(body.dayCents) }),
    cancelWithdrawal: ({ customer, params }) => cancelWithdrawal(context, customer, params.id),
    showWithdrawalLink: async ({ body }) => present(await withdrawalOfLink(context, body.token), undefined),
    answerWithdrawalLink: async ({ body }) => present(await answerLink(context, settings, body), undefined),
    listWithdrawalAddresses: ({ customer }) => listAddresses(context, customer),
    keepWithdrawalAddress: ({ customer, body }) => keepAddress(context, settings, customer, body),
    removeWithdrawalAddress: ({ customer, body }) => removeAddress(context, customer, body.id),
    setWithdrawalWhitelist: ({ customer, body }) => setWhitelist(context, customer, body.isOn)
  }
}
