/** Calls and checks for withdrawals of a test's application. */

import { accountOf, accountOfKey } from '#lib/domain/chains/address.ts'
import { type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { writeAccount } from '#lib/domain/chains/reedSolomon.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import type { Actor } from '#lib/server/platform/actor.ts'
import { type PrivateKey, privateKey, signingKey } from '#lib/server/platform/ed25519.ts'
import { readWithdrawalsConfig } from '#lib/server/withdrawals/settings.ts'
import { chainsOf } from './chains.ts'
import type { Customer, TestApp } from './testApp.ts'

const PUBLIC_KEY = 'e94ef3fcafd98d1eabb2ae8e3ba4b8a9ae9c1c8f5e1a5f2f17e9df9a0d3d8a11'
/** Addresses that are not ours. The CPC account belongs to the public key. */
export const STRANGER = {
  BTC: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  ETH: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  USDC: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  CPC: `CPC-${writeAccount(accountOfKey(PUBLIC_KEY) ?? 0n)}`,
  publicKey: PUBLIC_KEY
}
const { sandboxOperator } = readWithdrawalsConfig({}, { role: 'all', production: false, problems: [] })
type Signs = { actor: Actor; key: PrivateKey }
/** Who approves in tests, with the key of the sandbox. */
export const operator: Signs & { twoAboveCents: bigint } = {
  actor: { kind: 'staff', id: 'grace' },
  key: privateKey(sandboxOperator ?? signingKey(new Uint8Array(32))),
  /** Above every worth of the tests: one person is enough. */
  twoAboveCents: 10n ** 12n
}
const ONE: Record<ChainToken, bigint> = { BTC: 10n ** 8n, ETH: 10n ** 18n, USDC: 10n ** 6n, CPC: 10n ** 8n }

/** Another person of the signer's list, where the process has these settings. */
export const colleague: Signs = {
  actor: { kind: 'staff', id: 'ada' },
  key: privateKey(signingKey(Buffer.alloc(32, 3)))
}
export const COLLEAGUE_ENV = { OPERATOR_KEYS: `ada@desk.example:${colleague.key.publicKey}` }

export function units(currency: ChainToken, amount: number): bigint {
  return (BigInt(Math.round(amount * 10 ** 6)) * ONE[currency]) / 10n ** 6n
}

type Options = { key?: string; details?: object; to?: string; publicKey?: string }

export function withdrawalsOf(test: TestApp) {
  const chains = chainsOf(test)
  const { send, adjust, mailsTo } = test

  async function ask(customer: Customer, currency: ChainToken, amount: bigint, options: Options = {}) {
    const to = options.to ?? STRANGER[currency]
    const details = options.details && { details: options.details }
    const publicKey = options.publicKey ?? STRANGER.publicKey
    const body =
      currency === 'BTC'
        ? { amount: String(amount), address: to, ...details }
        : currency === 'CPC'
          ? {
              blockchain: 'CPCx0',
              amount: String(amount),
              accountRs: to,
              accountId: String(accountOf(to) ?? 0n),
              publicKey,
              ...details
            }
          : { currency, amount: String(amount), receiver: to, ...details }
    const path = { BTC: 'btc', CPC: 'cpc', ETH: 'eth', USDC: 'eth' }[currency]
    return send('POST', `/users/withdraw/${path}/create`, {
      token: customer.token,
      body,
      ...(options.key && { headers: { 'idempotency-key': options.key } })
    })
  }

  async function fund(
    customer: Customer,
    currency: ChainToken,
    amount: bigint,
    kind: 'spot' | 'funding' = 'spot'
  ): Promise<void> {
    await adjust([{ source: house('treasury'), destination: customerAccount(customer.userId, kind), currency, amount }])
  }

  async function linkOf(customer: Customer): Promise<string> {
    const mail = (await mailsTo(customer.email)).find(({ subject }) => subject.startsWith('Please confirm your withdrawal'))
    return /withdraw-confirm\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  const answer = async (token: string, isConfirmed: boolean) =>
    send('POST', '/users/withdraw/link/answer', { body: { token, isConfirmed } })

  return {
    ...chains,
    ask,
    fund,
    linkOf,
    answer,
    /** Requests a withdrawal and, if needed, confirms the new address with the mailed link; returns the withdrawal's id. */
    confirmed: async (customer: Customer, currency: ChainToken, amount: bigint, options: Options = {}) => {
      const asked = await ask(customer, currency, amount, options)
      if (asked.status !== 200) throw new Error(JSON.stringify(asked.body))
      if (asked.body.data.state === 'unconfirmed') {
        const done = await answer(await linkOf(customer), true)
        if (done.status !== 200) throw new Error(JSON.stringify(done.body))
      }
      return asked.body.data.id as string
    },
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    list: (customer: Customer): Promise<any[]> => test.ask(customer, 'listWithdrawals'),
    /** Balances in spot, funding, outgoing, and in total. */
    holding: async (customer: Customer, currency: ChainToken) => {
      const balance = (await test.ask(customer, 'getBalance'))[currency]
      return {
        spot: BigInt(balance.wallet.spotBalance),
        funding: BigInt(balance.wallet.fundingBalance.total),
        outgoing: BigInt(balance.outgoingBalance),
        total: BigInt(balance.totalBalance)
      }
    },
    /** Signs and broadcasts, then mines enough blocks to confirm it. */
    carryOut: async (currency: ChainToken) => {
      const chain = chainOf(currency)
      await chains.follow(chain)
      await chains.send(chain)
      await chains.mine(chain, 12)
    },
    /** The balance of an address on the chain, by default of the stranger's. */
    received: async (currency: ChainToken, address = STRANGER[currency]): Promise<bigint> =>
      (await test.app.ports.chainNode(chainOf(currency))).holds({ address, token: currency })
  }
}
