/** The product's outside world during the test: customers with money, blocks, deposits, payments by the bank. */
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { accountOf } from '#lib/domain/chains/address.ts'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { type SandboxPayment, sandboxMine } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { customerAccount, house, verifyLedger } from '#lib/server/ledger/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { fillFund } from '#lib/server/staking/index.ts'
import { compareCustody, differencesOf } from '#lib/server/withdrawals/index.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'
import { wait } from './bed.ts'
import type { Booking, Client } from './load.ts'

/** A package with a stake, and the account that is paid to. */
const PACKAGE = { comboConfigId: 82, bankAccountId: 1 }
const DAY_MS = 86_400_000
const WORLD_EVERY_MS = 2500

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(url: string, folder: string) {
  const connection = await openPostgres(url, { poolSize: 6, onLost: () => undefined })
  const env = {
    ROLE: 'web',
    SIGNER_JOURNAL: join(folder, 'unused.sqlite'),
    WITHDRAWAL_DAY_USD: '1000000',
    WITHDRAWAL_DAY_MOST_USD: '1000000'
  }
  const test: TestApp = await createTestApp({ connection, clock: () => new Date(), env })
  const { context } = test.app
  const w = withdrawalsOf(test)
  const p2p = p2pOf(test)
  await w.stock()
  for (const currency of ['CPC', 'PTC'])
    await fillFund(context, {
      currency,
      units: 10n ** 17n,
      reference: `failover-${currency}`,
      actor: { kind: 'system', id: 'failover' }
    })
  const count = async (query: ReturnType<typeof sql>) =>
    Number(rowsOf<{ count: string }>(await context.db.execute(query))[0]?.count)

  /** Blocks only where somebody waits for one: on a chain that always grows nothing is signed. */
  const isWaiting = async (chain: Chain) =>
    (await count(sql`
      select (select count(*) from sandbox_mempool where chain = ${chain})
        + (select count(*) from chain_attempts a join chain_sends s on s.id = a.send_id and s.state = 'signed'
           where a.chain = ${chain} and a.height is not null) as count`)) > 0
  async function mineDue(): Promise<boolean> {
    let isAny = false
    for (const chain of CHAINS)
      if (await isWaiting(chain)) {
        isAny = true
        await sandboxMine(context, chain, 3)
      }
    return isAny
  }

  /** The customer's first withdrawal makes the address known; the worker sends the mail with the link. */
  async function confirmAddress(customer: Customer): Promise<void> {
    await w.ask(customer, 'CPC', units('CPC', 40))
    for (let tries = 0; ; tries += 1) {
      const token = await w.linkOf(customer)
      if (token !== '') {
        const { status, body } = await w.answer(token, true)
        if (status !== 200) throw new Error(JSON.stringify(body))
        return
      }
      if (tries > 50) throw new Error('The mail with the link did not come')
      await wait(200)
    }
  }

  /** Deposits whose transfer is in a block for certain, and those of which nobody knows. */
  const deposits: { amount: bigint; isCertain: boolean }[] = []
  const depositor = await test.customer()
  const address = await w.addressFor(depositor, 'CPC')
  let serial = 0n
  async function deposit(): Promise<void> {
    serial += 1n
    const one = { amount: units('CPC', 20) + serial, isCertain: false }
    deposits.push(one)
    const payment: SandboxPayment = { address, token: 'CPC', amount: one.amount }
    await w.pay('cpc', payment)
    one.isCertain = true
  }

  /** The bank tells of a payment for each acknowledged order, again and again until it is booked. Every second one was paid long ago: its stake pays. */
  const told = new Set<string>()
  async function tellBank(bookings: Booking[]): Promise<void> {
    for (const { kind, id, outcome } of bookings) {
      if (kind !== 'order' || outcome !== 'acked' || !id || told.has(id)) continue
      const [order] = rowsOf<{ cents: string }>(
        await context.db.execute(sql`select euro_cents_to_pay::text as cents from orders where id = ${id}`)
      )
      if (!order) continue
      const bookedOn = new Date(Date.now() - (told.size % 2 === 0 ? 100 : 0) * DAY_MS).toISOString().slice(0, 10)
      await test.arrive({
        entryId: `failover-${id}`,
        amountCents: BigInt(order.cents),
        remittance: id,
        bookedOn,
        valueOn: bookedOn
      })
      told.add(id)
    }
  }

  return {
    test,
    deposits,
    told,
    count,
    /** Customers of one round, signed in just now: who signed in a quarter of an hour ago would be asked who they are. `before`: what they have of each kind already. */
    clients: async (many: number): Promise<{ clients: Client[]; before: Map<string, number> }> => {
      const maker = await test.customer()
      await p2p.fund(maker, 'CPC', 10n ** 7n * COIN)
      const order = await p2p.listed(maker, { amount: 10n ** 5n * COIN, price: '0.05' })
      const before = new Map<string, number>()
      const clients: Client[] = []
      const rich = async (customer: Customer) =>
        test.adjust(
          (
            [
              ['CPC', 'spot', 2n * 10n ** 4n * COIN],
              ['USDC', 'funding', 2000n * DOLLAR]
            ] as const
          ).map(([currency, kind, amount]) => ({
            source: house('treasury'),
            destination: customerAccount(customer.userId, kind),
            currency,
            amount
          }))
        )
      for (let index = 0; index < many; index += 1) {
        const customer = await test.customer()
        await rich(customer)
        const transfer = {
          kind: 'transfer' as const,
          path: '/users/balance/transfer-from-spot-to-funding',
          body: () => ({ currency: 'CPC', amount: '1000' })
        }
        const fill = { kind: 'fill' as const, path: `/p2p/order/${order}/fill`, body: () => ({ amount: String(10n * COIN) }) }
        const buy = { kind: 'order' as const, path: '/orders/combo', body: () => PACKAGE }
        const does: Client['does'] = [transfer, transfer, transfer, fill]
        if (index % 4 === 0) does.push(buy)
        if (index % 4 === 1) {
          await confirmAddress(customer)
          before.set(`withdrawal:${customer.userId}`, 1)
          let amount = units('CPC', 30)
          does.push({
            kind: 'withdrawal',
            path: '/users/withdraw/cpc/create',
            body: () => {
              amount += 1n
              return {
                blockchain: 'CPCx0',
                amount: String(amount),
                accountRs: STRANGER.CPC,
                accountId: String(accountOf(STRANGER.CPC) ?? 0n),
                publicKey: STRANGER.publicKey
              }
            }
          })
        }
        clients.push({ userId: customer.userId, token: customer.token, cookie: customer.cookie, does })
      }
      return { clients, before }
    },
    /** Plays the world until the returned function is called. What fails is tried again later. */
    play: (bookings: () => Booking[]): (() => Promise<void>) => {
      let isOn = true
      const running = (async () => {
        while (isOn) {
          for (const act of [mineDue, deposit, () => tellBank(bookings())]) {
            if (isOn) await act().catch(() => undefined)
          }
          await wait(WORLD_EVERY_MS)
        }
      })()
      return async () => {
        isOn = false
        await running
      }
    },
    /** Until all is booked and paid: then the books, the chains, deposits and payments are compared. Returns what is wrong. */
    settle: async (bookings: Booking[]): Promise<string[]> => {
      const giveUpAt = Date.now() + 120_000
      // The books of many rounds are read whole: that takes longer than a process waits for an answer.
      const patient = await openPostgres(url, { poolSize: 2, onLost: () => undefined, patient: true })
      const count = async (query: ReturnType<typeof sql>) =>
        Number(rowsOf<{ count: string }>(await patient.db.execute(query))[0]?.count)
      let problems: string[] = []
      while (Date.now() < giveUpAt) {
        problems = await look().catch((error: Error) => [String(error.cause ?? error)])
        if (problems.length === 0) break
        await tellBank(bookings).catch(() => undefined)
        await mineDue().catch(() => undefined)
        // A deposit is credited some blocks later.
        if (problems.some((one) => one.includes('deposit'))) await sandboxMine(context, 'cpc', 12).catch(() => undefined)
        await wait(1500)
      }
      await patient.close()
      return problems

      async function look(): Promise<string[]> {
        const found: string[] = []
        const waits = await count(
          sql`select count(*) from withdrawals where state in ('approved', 'signed', 'unconfirmed', 'review')`
        )
        if (waits > 0) found.push(`${waits} withdrawals wait`)
        const unpaid = await count(sql`
          with paid as (
            select p->>'address' as receiver, p->>'amount' as amount, count(*) as times
            from sandbox_blocks b, jsonb_array_elements(b.transactions) t, jsonb_array_elements(t->'payments') p group by 1, 2
          ), owed as (
            select receiver, (amount - fee)::text as amount, count(*) as times from withdrawals where state = 'confirmed' group by 1, 2
          )
          select count(*) from owed left join paid using (receiver, amount) where coalesce(paid.times, 0) <> owed.times`)
        if (unpaid > 0) found.push(`${unpaid} sums of withdrawals are not paid exactly once`)
        const lostSends = await count(sql`select count(*) from chain_sends where purpose = 'lost'`)
        if (lostSends > 0) found.push(`${lostSends} payments are lost`)
        const stops = await count(sql`select count(*) from chain_stops where resumed_at is null`)
        if (stops > 0) found.push(`${stops} chains are stopped`)
        const orders = await count(sql`select count(*) from orders where id = any(${sql.param([...told])}) and status <> 2`)
        if (orders > 0) found.push(`${orders} paid orders are not completed`)
        const due = await count(sql`select count(*) from jobs where failed_at is not null`)
        if (due > 0) found.push(`${due} jobs gave up`)
        for (const { amount, isCertain } of deposits) {
          const times = await count(
            sql`select count(*) from deposits where amount = ${amount.toString()} and booked_at is not null and reverted_at is null`
          )
          if (times > 1) found.push(`the deposit of ${amount} was credited ${times} times`)
          if (times < 1 && isCertain) found.push(`the deposit of ${amount} is not credited`)
        }
        found.push(...(await verifyLedger(patient.db, ledgerChecks)).problems.map((one) => `ledger: ${one}`))
        for (const chain of CHAINS) {
          const lines = await compareCustody(
            { ...context, db: patient.db },
            await test.app.ports.chainNode(chain),
            test.app.chains.deposits.proof
          )
          if (!lines) found.push(`${chain} is not read to its end`)
          else found.push(...differencesOf(lines).map((one) => `custody: ${one}`))
        }
        return found
      }
    },
    close: () => test.close()
  }
}
