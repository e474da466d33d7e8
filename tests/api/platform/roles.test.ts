/** Each role as its own user of the database, by docs/database-roles.sql: it can do its work, and nothing else. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type DeskCallName, deskCalls, rulesOf } from '#lib/contract/desk/calls.ts'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { type Application, compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { sandboxChain, sandboxSigner } from '#lib/server/chains/adapters/sandbox.ts'
import { sandboxMine, sandboxPay } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { fillPool, houseAddress } from '#lib/server/chains/index.ts'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { receiveEntry } from '#lib/server/payments/index.ts'
import { type Connection, openPostgres } from '#lib/server/platform/db/client.ts'
import { createMissingFunctions } from '#lib/server/platform/db/migrate.ts'
import { refreshList, screenCustomers, withdrawalWaits } from '#lib/server/screening/index.ts'
import { inviteFirst } from '#lib/server/staff/index.ts'
import { camt, ntry } from '#support/camt.ts'
import { freshDatabase } from '#support/databases.ts'
import { deskOf } from '#support/desk.ts'
import { hooks } from '#support/hooks.ts'
import { LOCAL } from '#support/local.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

const ROLES = ['web', 'worker', 'signer', 'desk'] as const
type Role = (typeof ROLES)[number]
const PASSWORD = 'roles'

let databaseUrl: string
let owner: TestApp
let ownerConnection: Connection
const apps = {} as Record<Role, Application>
let now = Date.UTC(2026, 10, 21, 12)
const mails: { to: string; text: string }[] = []

const urlOf = (role: Role) => {
  const url = new URL(databaseUrl)
  url.username = `wallet_${role}`
  url.password = PASSWORD
  return url.href
}
const open = (url: string) => openPostgres(url, { poolSize: 4, onLost: () => undefined })

async function asOwner(text: string, values: unknown[] = []) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  databaseUrl = await freshDatabase(inject('postgresUrl'))
  await asOwner(readFileSync('docs/database-roles.sql', 'utf8'))
  for (const role of ROLES) await asOwner(`alter role wallet_${role} password '${PASSWORD}'`)
  // The sandbox's tables stand for the world outside.
  await asOwner(
    'grant all on sandbox_blocks, sandbox_contents, sandbox_faults, sandbox_mails, sandbox_mempool to wallet_web, wallet_worker, wallet_signer'
  )
  ownerConnection = await open(databaseUrl)
  // Takes no jobs: those are the worker's.
  owner = await createTestApp({ connection: ownerConnection, env: { ROLE: 'web' } })
  for (const role of ROLES) {
    const connection = await open(urlOf(role))
    apps[role] = await compose(readConfig({ LOG_LEVEL: 'silent', LIMIT_SCALE: '1000', ROLE: role }), {
      connection,
      clock: () => new Date(now),
      // The sandbox's own tables are nobody's: mails and chains are the test's.
      ports: (ports) => ({
        ...ports,
        mailer: { send: async (mail) => void mails.push({ to: mail.to, text: mail.text }) },
        chainNode: async (chain: Chain) => sandboxChain({ db: ownerConnection.db, clock: () => new Date(now) }, chain),
        planSigner: async (chain: Chain) => sandboxSigner(chain, () => new Date(now))
      })
    })
  }
})
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close()
  await owner.close()
})

/** Runs everything that is due in worker and signer, recurring jobs included. */
async function work(): Promise<void> {
  now += 20_000
  for (const role of ['worker', 'signer', 'worker'] as const) await apps[role].worker.flush()
}
const mine = async (chain: Chain, blocks = 12) => {
  await sandboxMine({ db: ownerConnection.db, clock: () => new Date(now) } as never, chain, blocks)
  await work()
}

async function send(
  method: string,
  path: string,
  { token, body, cookie }: { token?: string; body?: unknown; cookie?: string } = {}
) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(cookie && { cookie })
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await apps.web.api.request(`/v1${path}`, init, LOCAL)
  const { data, ...failure } = await response.json()
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(failure)}`)
  return { data, cookies: response.headers.getSetCookie() }
}

/** What a mail to this address says; another process sends it, so it may take a moment. */
const mailed = async (to: string, pattern: RegExp): Promise<string> => {
  const find = () => pattern.exec(mails.findLast((mail) => mail.to === to && pattern.test(mail.text))?.text ?? '')?.[1]
  await expect
    .poll(
      async () => {
        await apps.worker.worker.flush()
        return find()
      },
      { timeout: 20_000 }
    )
    .toBeDefined()
  return find() ?? ''
}

async function signUp(): Promise<Pick<Customer, 'token' | 'email' | 'userId'>> {
  const email = `${randomUUID()}@example.com`
  const first = await send('POST', '/users/signup', {
    body: { email, password: 'correct horse battery', phone: '+43 660 1234567' }
  })
  const cookie = first.cookies.map((one) => one.split(';', 1)[0]).join('; ')
  const token = await mailed(email, /\b(\d{6})\b/)
  const { data } = await send('POST', '/users/signup/verify', { body: { email, token }, cookie })
  const profile = await send('GET', '/users/profile', { token: data.token })
  const { userId } = profile.data
  const link = await apps.web.ports.identity.createLink({ userId, email }, 1800)
  await apps.web.sandbox?.decideIdentity(link.split('/').at(-1) ?? '', 'approve', { firstName: 'Ada', lastName: 'Lovelace' })
  return { token: data.token, email, userId }
}

const problems = async () =>
  (await asOwner(`select kind, last_error from jobs where last_error is not null and kind <> 'sandbox_stock'`)) as object[]

it('a customer’s whole way works with three users, and the desk with its own: sign-up, purchase, deposit, withdrawal, trade, payouts', async () => {
  const ada = await signUp()
  const bob = await signUp()
  await work()
  // Twice: the later one replaces the row.
  for (const _ of [1, 2]) await send('POST', '/orders/promo', { token: ada.token, body: { code: 'ANNIVERSARY' } })
  const order = (await send('POST', '/orders/combo', { token: ada.token, body: { comboConfigId: 19, bankAccountId: 1 } })).data
  const { context, ports } = apps.worker
  const day = new Date(now).toISOString().slice(0, 10)
  await receiveEntry(context, { rates: ports.rates, ...hooks }, {
    entryId: randomUUID(),
    direction: 'credit',
    currency: 'EUR',
    amountCents: BigInt(order.euroToPay.replace('.', '')),
    bookedOn: day,
    valueOn: day,
    payerName: 'Ada Lovelace',
    payerIban: 'AT611904300234573201',
    remittance: order.id
  } as never)
  await work()
  expect((await send('GET', `/orders/combo/${order.id}`, { token: ada.token })).data.status).toBe(2)

  // The hot wallets, and deposits.
  const signer = apps.signer.chains.signer
  if (!signer) throw new Error('The signer has the seed')
  await fillPool(apps.signer.context, signer, 5)
  for (const chain of CHAINS) await mine(chain, 1)
  const hot = await houseAddress(ownerConnection.db, apps.signer.chains.deposits.proof, 'cpc', 'hot')
  const deposit = (await send('POST', '/users/deposit/address', { token: ada.token, body: { currency: 'CPC', isNew: false } }))
    .data
  for (const [address, amount] of [
    [hot?.address ?? '', units('CPC', 10_000)],
    [deposit.address, units('CPC', 500)]
  ] as const)
    await sandboxPay({ db: ownerConnection.db, clock: () => new Date(now) } as never, 'cpc', [{ address, token: 'CPC', amount }])
  await mine('cpc')
  const balance = async (who: { token: string }) => (await send('GET', '/users/balance', { token: who.token })).data
  const spot = async (who: { token: string }) => BigInt((await balance(who)).CPC.wallet.spotBalance)
  expect(await spot(ada)).toBeGreaterThanOrEqual(units('CPC', 500))

  // A withdrawal, and one that is taken back.
  const body = {
    blockchain: 'CPCx0',
    amount: String(units('CPC', 100)),
    accountRs: STRANGER.CPC,
    accountId: String((await import('#lib/domain/chains/address.ts')).accountOf(STRANGER.CPC)),
    publicKey: STRANGER.publicKey
  }
  const asked = (await send('POST', '/users/withdraw/cpc/create', { token: ada.token, body })).data
  const token = await mailed(ada.email, /withdraw-confirm\?token=([\w.-]+)/)
  await send('POST', '/users/withdraw/link/answer', { body: { token, isConfirmed: true } })
  const second = (await send('POST', '/users/withdraw/cpc/create', { token: ada.token, body })).data
  await send('POST', `/users/withdraw/${second.id}/cancel`, { token: ada.token })
  await work()
  await work()
  await mine('cpc')
  const listed = (await send('GET', '/users/withdraw/history', { token: ada.token })).data
  const states = Object.fromEntries(listed.map(({ id, state }: { id: string; state: string }) => [id, state]))
  expect(states).toEqual({ [second.id]: 'cancelled', [asked.id]: 'confirmed' })

  // A trade.
  await post(ownerConnection.db, {
    reason: 'adjustment',
    source: { type: 'adjustment', id: 'usdc' },
    reference: 'adjustment:usdc',
    actor: { kind: 'system', id: 'test' },
    transfers: [
      {
        source: house('treasury'),
        destination: customerAccount(bob.userId, 'spot'),
        currency: 'USDC',
        amount: units('USDC', 100)
      }
    ],
    at: new Date(now)
  })
  const move = { currency: 'CPC', amount: String(units('CPC', 200)) }
  await send('POST', '/users/balance/transfer-from-spot-to-funding', { token: ada.token, body: move })
  const sell = {
    orderType: 'SELL',
    assetCurrency: 'CPC',
    settlementCurrency: 'USDC',
    settlementCurrencyType: 'CRYPTO',
    paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
    paymentDetails: '',
    listedAssetAmount: String(units('CPC', 100)),
    pricePerCoin: '0.05',
    expiresInDays: 7
  }
  const offer = (await send('POST', '/p2p/order', { token: ada.token, body: sell })).data
  await send('POST', `/p2p/order/${offer.id}/fill`, { token: bob.token, body: {} })
  expect(await spot(bob)).toBe(0n)
  const open = (await send('POST', '/p2p/order', { token: ada.token, body: sell })).data
  await send('POST', `/p2p/order/${open.id}/cancel`, { token: ada.token })

  // Everything that recurs, also after a quarter.
  now += 100 * 86_400_000
  await work()
  await work()
  expect(await problems()).toEqual([])
  expect((await owner.verifyLedger()).problems).toEqual([])
})

async function tries(role: Role, text: string): Promise<string> {
  const client = new pg.Client(urlOf(role))
  await client.connect()
  try {
    await client.query(text)
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown'
  } finally {
    await client.end()
  }
}
const DENIED = '42501'

describe('a stolen password', () => {
  it.each(ROLES)('of %s changes no posting, balance, function, trigger or step, and drops nothing', async (role) => {
    for (const text of [
      'update postings set amount = 1',
      'delete from postings',
      "update ledger_transactions set reason = 'adjustment'",
      "set ledger.posting = 'on'; update accounts set balance = 1",
      'alter table withdrawals disable trigger all',
      'set session_replication_role = replica',
      "create or replace function refuse_balance() returns trigger language plpgsql as 'begin return new; end'",
      'drop table postings',
      'create table mine (id int)',
      'update drizzle.release set release = 99',
      'create role thief superuser'
    ])
      expect(await tries(role, text), text).toBe(DENIED)
  })

  it('of the signer reads no password hash, session or code, and books nothing', async () => {
    for (const text of [
      'select password_hash from users',
      'select * from users',
      'select * from sessions',
      'select * from codes',
      'select * from identity_checks',
      `select ledger_post('adjustment', 'x', 'x', 'x', 'x', '[]', now())`
    ])
      expect(await tries('signer', text), text).toBe(DENIED)
  })

  it('of the worker adds a refill and its attempt, and of every other payment nothing', async () => {
    const add = (id: string, purpose: string) =>
      `insert into chain_sends (id, chain, purpose, currency, receiver, amount, most_fee, state, signed_at)
        values ('${id}', 'ethereum', '${purpose}', 'USDC', '0x', 1, 1, 'failed', now())`
    const attempt = (id: string) =>
      `insert into chain_attempts (send_id, chain, transaction_id, bytes, price, tip, network_fee, signed_at)
        values ('${id}', 'ethereum', '${id}', '', 0, 0, 0, now())`
    const [refill, other] = [randomUUID(), randomUUID()]
    expect(await tries('worker', add(other, 'withdrawal'))).toBe(DENIED)
    await asOwner(add(other, 'withdrawal'))
    expect(await tries('worker', attempt(other))).toBe(DENIED)
    expect(await tries('worker', add(refill, 'refill'))).toBe('done')
    expect(await tries('worker', attempt(refill))).toBe('done')
    await asOwner("set session_replication_role = replica; delete from chain_attempts where network_fee = 0 and bytes = ''")
    await asOwner(`set session_replication_role = replica; delete from chain_sends where id in ('${refill}', '${other}')`)
  })

  it('of the desk makes up no decision of two', async () => {
    const id = randomUUID()
    const made = (state: string) =>
      `insert into staff_proposals (id, act, subject, input, facts, plan, why, proposed_by, proposed_at, expires_at, state, decided_by)
        select '${id}', 'fill_fund', 'x', '{}', '{}', '[]', 'x', '${id}', now(), now() + interval '1 day', '${state}', ${state === 'open' ? 'null' : `'${id}'`}`
    expect(await tries('desk', made('approved'))).toBe('23000')
    // Without a right: wallet_worker runs commands that read, and writes no log.
    expect(await tries('worker', "select staff_audit_append(now(), 'staff:x', 'x', 'x', 'x', '{}')")).toBe(DENIED)
  })

  it('of a web process takes nothing from our accounts, and makes no money', async () => {
    const thief = (await owner.customer()).userId
    const HOUSE = '00000000-0000-0000-0000-000000000000'
    const transfer = (source: string, from: string, destination: string, to: string) =>
      JSON.stringify([{ source, sourceKind: from, destination, destinationKind: to, currency: 'BTC', amount: '1' }])
    for (const [reason, transfers] of [
      ['adjustment', transfer(HOUSE, 'treasury', thief, 'spot')],
      ['order_completed', transfer(HOUSE, 'treasury', thief, 'spot')],
      ['withdrawal_requested', transfer(HOUSE, 'treasury', thief, 'outgoing')],
      ['moved_between_accounts', transfer(HOUSE, 'spot', HOUSE, 'funding')],
      ['moved_between_accounts', transfer(HOUSE, 'spot', thief, 'funding')],
      ['moved_between_accounts', transfer(randomUUID(), 'spot', thief, 'funding')],
      ['deposit_credited', transfer(HOUSE, 'chain', thief, 'spot')],
      ['withdrawal_returned', transfer(randomUUID(), 'outgoing', thief, 'spot')],
      ['withdrawal_returned', transfer(thief, 'outgoing', thief, 'spot')],
      ['p2p_listed', transfer(thief, 'staked', thief, 'spot')],
      ['p2p_listed', transfer(thief, 'reward', thief, 'spot')]
    ])
      expect(await tries('web', `select ledger_post('${reason}', 'x', 'x', '${randomUUID()}', 'x', '${transfers}', now())`)).toBe(
        DENIED
      )
  })

  it('of a web process books no trade: it takes no coins of one customer for another', async () => {
    const [victim, thief] = [(await owner.customer()).userId, (await owner.customer()).userId]
    for (const [from, to, currency] of [
      ['funding', 'funding', 'BTC'],
      ['funding', 'funding', 'USDC'],
      ['frozen', 'funding', 'CPC'],
      ['funding', 'fees', 'USDC']
    ]) {
      const destination = to === 'fees' ? '00000000-0000-0000-0000-000000000000' : thief
      const transfers = JSON.stringify([
        { source: victim, sourceKind: from, destination, destinationKind: to, currency, amount: '1' }
      ])
      for (const call of ['ledger_post', 'ledger_write', 'ledger_write_several'])
        expect(
          await tries('web', `select ${call}('p2p_traded', 'p2p_trade', 'x', '${randomUUID()}', 'x', '${transfers}', now())`)
        ).toBe(DENIED)
      expect(
        await tries(
          'web',
          `select * from ledger_write_many('{p2p_traded}', '{p2p_trade}', '{x}', '{${randomUUID()}}', '{x}', '{2026-01-01}', '{1}', '{${victim}}',
            '{${from}}', '{${destination}}', '{${to}}', '{${currency}}', '{1}', '{NULL}')`
        )
      ).toBe(DENIED)
    }
    // Through the function it makes no price of its own.
    const many = (reference: string, unit: string) =>
      `select p2p_fill_many(array[gen_random_uuid()], '{${victim}}', '{x}', '{NULL}', '{x}', array[gen_random_uuid()], array[(select id from p2p_orders limit 1)],
        '{1}', '{${reference}}', '{1e20}', ${unit}, now(), now())`
    const fill = (reference: string, unit: string) =>
      `select p2p_fill(gen_random_uuid(), '${victim}', 'x', gen_random_uuid(), now(), gen_random_uuid(), 1, ${reference}, ${unit}, 1e20, '', now())`
    await asOwner(
      `insert into accepted_prices (currency, price_usd, source, quoted_at) values ('CPC', 0.05, 'x', now()), ('USDC', 1, 'x', now()) on conflict do nothing`
    )
    // A purchase that would open an account is not judged by p2p_fill_many.
    await asOwner(`
      insert into accounts (owner_id, currency, kind, slot)
      select a.owner, a.currency, a.kind, 0 from (select maker_id as owner from p2p_orders union select '${victim}') o (owner)
      cross join lateral (values (o.owner, 'CPC', 'funding'), (o.owner, 'CPC', 'frozen'), (o.owner, 'USDC', 'funding')) a (owner, currency, kind)
      on conflict do nothing`)
    for (const [reference, unit] of [
      ['0.00000001', '0.01'],
      ['5', '0.01'],
      ['0.05', '1']
    ] as const)
      for (const call of [fill, many]) expect(await tries('web', call(reference, unit))).toBe('23514')
    for (const call of [fill, many]) expect(await tries('web', call('0.05', '0.01'))).toBe('done')
    for (const text of ['insert into p2p_trades (id) values (gen_random_uuid())', 'update p2p_orders set filled_amount = 0'])
      expect(await tries('web', text), text).toBe(DENIED)
  })

  it('of no process calls a new function before this file has run again', async () => {
    const isOpen = () =>
      asOwner(
        "select has_function_privilege('wallet_web', p.oid, 'execute') as \"mayCall\" from pg_proc p where p.proname = 'ledger_write_many'"
      )
    const [{ of }] = await asOwner("select p.oid::regprocedure::text as of from pg_proc p where p.proname = 'ledger_write_many'")
    await asOwner(`drop function ${of}`)
    await createMissingFunctions({ query: (text) => asOwner(text) as never })
    expect(await isOpen()).toEqual([{ mayCall: false }])
  })

  it('of a web process changes no order’s terms, and one that it made up completes nothing', async () => {
    const inviter = await owner.customer()
    const code = (await owner.ask(inviter, 'getProfile')).referralCode
    const buyer = await owner.customer({ referralCode: code })
    const order = await owner.ask(buyer, 'createOrder', { body: { comboConfigId: 19, bankAccountId: 1 } })
    for (const set of ['fiat_cents = 1', 'euro_cents_to_pay = 1', 'staking_rate_hundredths = 1', 'bonus_rate_hundredths = 1'])
      expect(await tries('web', `update orders set ${set}`), set).toBe(DENIED)
    const before = (await owner.ask(inviter, 'getBalance')).CPC.rewardBalance
    for (const [column, value] of [
      ['fiat_cents', '100000000000000'],
      ['euro_cents_to_pay', '100'],
      ['eur_per_usd', '0.001'],
      ['staking_rate_hundredths', '100000000'],
      ['bonus_rate_hundredths', '1000000'],
      // Of a day without a rate of its own.
      ['created_at', "now() + interval '400 days', eur_per_usd = 0.001, euro_cents_to_pay = 104"]
    ] as const) {
      // As it could insert it; the owner changes it here, so that everything else of the order is right.
      const [{ right }] = await asOwner(`select ${column}::text as right from orders where id = $1`, [order.id])
      await asOwner(`update orders set ${column} = ${value} where id = $1`, [order.id])
      const [{ cents }] = await asOwner('select euro_cents_to_pay::text as cents from orders where id = $1', [order.id])
      const paid = await owner.arrive({ entryId: randomUUID(), remittance: order.id, amountCents: BigInt(cents) })
      expect(paid, column).toMatchObject({ outcome: 'unknown_reference' })
      await asOwner(`update orders set ${column} = '${right}' where id = $1`, [order.id])
    }
    expect((await owner.ask(inviter, 'getBalance')).CPC.rewardBalance).toBe(before)
  })

  it('of a web process gives back no withdrawal that is signed, and a worker books coins of a chain to nobody for an order', async () => {
    const coins = withdrawalsOf(owner)
    const ada = await owner.customer()
    await coins.fund(ada, 'ETH', units('ETH', 0.1))
    const id = (await coins.ask(ada, 'ETH', units('ETH', 0.1))).body.data.id
    const token = await mailed(ada.email, /withdraw-confirm\?token=([\w.-]+)/)
    expect((await coins.answer(token, true)).status).toBe(200)
    await asOwner(`update withdrawals set state = 'signed', signed_at = now() where id = $1`, [id])
    const transfer = (reason: string, from: object) =>
      `select ledger_post('${reason}', 'x', '${id}', 'withdrawal:${id}:back', 'x', '${JSON.stringify([
        { destination: ada.userId, destinationKind: 'spot', currency: 'ETH', amount: '1', ...from }
      ])}', now())`
    const outgoing = { source: ada.userId, sourceKind: 'outgoing' }
    expect(await tries('web', transfer('withdrawal_returned', outgoing))).toBe(DENIED)
    expect(await tries('web', `select withdrawals_give_back('${id}', 'x', now())`)).toBe('P0002')
    expect(await tries('web', `update withdrawals set state = 'cancelled' where id = '${id}'`)).toBe('23000')
    // In the state in which only the worker gives back; and a row that took nothing, but calls itself cancelled.
    expect(await tries('web', `update withdrawals set state = 'given_back' where id = '${id}'`)).toBe('done')
    expect(await tries('web', `select withdrawals_give_back('${id}', 'x', now())`)).toBe('P0002')
    const copy = randomUUID()
    await tries(
      'web',
      `insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at)
       select '${copy}', user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, 'cancelled', requested_at from withdrawals where id = '${id}'`
    )
    expect(await tries('web', `select withdrawals_give_back('${copy}', 'x', now())`)).toBe('P0002')
    const chain = { source: '00000000-0000-0000-0000-000000000000', sourceKind: 'chain' }
    expect(await tries('worker', transfer('order_completed', chain))).toBe(DENIED)
  })

  it('of a web process makes no money out of what is no number', async () => {
    const [one, other] = [(await owner.customer()).userId, (await owner.customer()).userId]
    const transfers = JSON.stringify([
      { source: one, sourceKind: 'spot', destination: one, destinationKind: 'funding', currency: 'BTC', amount: 'NaN' }
    ])
    for (const amount of ['NaN', 'Infinity'])
      expect(
        await tries(
          'web',
          `select ledger_post('moved_between_accounts', 'move', 'x', '${randomUUID()}', 'x', '${transfers.replace('NaN', amount)}', now())`
        )
      ).toMatch(/^(23514|22003)$/)
    await expect(
      asOwner(`insert into accounts (owner_id, currency, kind, balance) values ('${other}', 'BTC', 'spot', 'NaN')`)
    ).rejects.toThrow()
  })

  it('of web and signer reads no mail that waits, and silences no alarm', async () => {
    for (const text of [
      'select payload from jobs',
      "delete from jobs where kind = 'health'",
      'update jobs set failed_at = now()'
    ])
      expect(await tries('web', text), text).toBe(DENIED)
    await asOwner(
      `insert into jobs (kind, payload, run_at, created_at) values ('mail', '{"code": "123456"}', now() + interval '1 day', now())`
    )
    const client = new pg.Client(urlOf('signer'))
    await client.connect()
    const { rows } = await client.query("select kind from jobs where kind in ('mail', 'health', 'sign_cpc') order by kind")
    await client.end()
    expect(rows).toEqual([{ kind: 'sign_cpc' }])
    for (const role of ['web', 'signer'] as const) expect(await tries(role, 'select * from jobs_waiting')).toBe(DENIED)
  })

  it('of a web process sends no mail of its own words, and reads no bank files for us', async () => {
    const written = JSON.stringify({ written: { to: 'victim@example.com', subject: 'Confirm', text: 'Pay here', html: 'x' } })
    for (const text of [
      `insert into jobs (kind, payload, run_at, created_at) values ('mail', '${written}', now(), now())`,
      `insert into cursors (name, value, updated_at) values ('bank', 'z', now())`
    ])
      expect(await tries('web', text), text).toBe(DENIED)
  })

  it('books no more by many bookings at once than by one', async () => {
    const customer = await owner.customer()
    await owner.adjust([
      { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 100n },
      { source: house('treasury'), destination: customerAccount(customer.userId, 'funding'), currency: 'CPC', amount: 1n }
    ])
    const before = (await owner.verifyLedger()).problems
    const id = customer.userId
    type Parts = Partial<Record<'reasons' | 'ids' | 'references' | 'bookings' | 'amounts' | 'destinations', string>>
    const many = ({ reasons, ids, references, bookings, amounts, destinations }: Parts, count: number, transfers = count) => {
      const times = (value: string, length = count) => `{${Array.from({ length }, () => value).join()}}`
      const each = (prefix: string) => `{${Array.from({ length: count }, (_, index) => `${prefix}${index}`).join()}}`
      const name = randomUUID()
      return `select refused from ledger_post_many('${reasons ?? times('moved_between_accounts')}', '${times('move')}', '${ids ?? each(name)}',
        '${references ?? each(`move:${name}`)}', '${times('x')}', '${times('2026-01-01')}', '${bookings ?? `{${Array.from({ length: count }, (_, index) => index + 1).join()}}`}',
        '${times(id, transfers)}', '${times('spot', transfers)}', '${destinations ?? times(id, transfers)}', '${times('funding', transfers)}', '${times('CPC', transfers)}', '${amounts ?? times('1', transfers)}')`
    }
    // Arrays that are read in two ways, bookings out of order, and bookings without transfers or without an owner.
    for (const parts of [
      many({ amounts: '[0:1]={777777,1}' }, 2),
      many({ reasons: '[0:1]={deposit_credited,moved_between_accounts}' }, 2),
      many({ bookings: '{1,2,1}', amounts: '{100,1,100000}' }, 2, 3),
      many({ bookings: '{2,1}' }, 2),
      many({ bookings: '{1,3}' }, 2),
      many({ bookings: '{1,NULL}' }, 2),
      many({ ids: '{{w1}}' }, 1),
      many({ destinations: '{NULL}' }, 1),
      many({ references: '{order:1,order:2}', bookings: '{1}' }, 2, 1)
    ])
      expect(await tries('web', parts), parts).toBe('22000')
    // What the rules do not allow is refused by itself.
    const [refused] = await asOwner("select count(*)::integer as n from ledger_transactions where reference like 'evil%'")
    expect(await tries('web', many({ reasons: '{deposit_credited}', references: '{evil}' }, 1))).toBe('done')
    expect(await tries('worker', many({ reasons: '{withdrawal_returned}', references: '{evil2}' }, 1))).toBe('done')
    expect(await asOwner("select count(*)::integer as n from ledger_transactions where reference like 'evil%'")).toEqual([
      refused
    ])
    expect((await owner.verifyLedger()).problems).toEqual(before)
  })

  it('of a web process gives nobody’s address to somebody else, and no withdrawal its signature', async () => {
    const [ada, bob] = [await owner.customer(), await owner.customer()]
    const [row] = await asOwner(
      "update chain_addresses set user_id = $1 where id = (select min(id) from chain_addresses where user_id is null and purpose = 'deposit') returning id",
      [ada.userId]
    )
    expect(await tries('web', `update chain_addresses set user_id = '${bob.userId}' where id = ${row.id}`)).toBe('23000')
    expect(await tries('web', `update chain_addresses set signature = 'x' where id = ${row.id}`)).toBe(DENIED)
    expect(
      await tries('web', `update chain_addresses set user_id = '${bob.userId}' where purpose = 'hot' and chain = 'cpc'`),
      'our own wallet is no customer’s'
    ).toBe('23000')
    for (const text of [
      `update withdrawals set receiver = 'x'`,
      `update withdrawals set usd_cents = 0`,
      `insert into chain_sends (id) values (gen_random_uuid())`,
      `insert into deposits (id) values (1)`,
      `update payments set order_id = 'x'`
    ])
      expect(await tries('web', text), text).toBe(DENIED)
  })
})

describe('the desk with its own user', () => {
  it('does its whole work: people, proposals, a halt, a rejection, a mail, the log', async () => {
    const desk = deskOf({ app: apps.desk, mailsTo: async () => [] } as unknown as TestApp)
    const first = async (name: string) => {
      const invited = await inviteFirst(
        { ...owner.app.context, clock: () => new Date(now) },
        { name, email: `${name}@desk.example` }
      )
      return desk.join(invited === 'refused' ? '' : invited.token)
    }
    const [ada, bela] = [await first('ada'), await first('bela')]
    const body = { name: 'Finn', email: 'finn@desk.example', roles: ['finance', 'compliance'], why: 'New' }
    const { proposalId } = (await ada.call('proposeInvitation', { body })).body.data
    expect((await bela.call('approveProposal', { params: { id: proposalId }, body: { why: 'Yes' } })).status).toBe(200)
    const token = await mailed('finn@desk.example', /\/join#([\w-]+)/)
    const finn = await desk.join(token)
    expect((await finn.call('haltChain', { params: { chain: 'bitcoin' }, body: { why: 'A look' } })).status).toBe(200)
    // Every page: whoever has its right reads it.
    const lists = (Object.keys(deskCalls) as DeskCallName[]).filter(
      (name) => rulesOf(name).method === 'GET' && !rulesOf(name).path.includes('{')
    )
    const query = { kind: 'fees', currency: 'BTC' }
    for (const name of lists)
      expect(
        (await (rulesOf(name).right === 'see_people' ? ada : finn).call(name, name === 'listLines' ? { query } : {})).status,
        name
      ).toBe(200)
    const { chains } = (await finn.call('getOverview')).body.data
    const upTo = chains[0].stops.at(-1).id
    const resumed = await finn.call('proposeResume', { params: { chain: 'bitcoin' }, body: { why: 'Looked', upTo } })
    const { proposalId: id } = resumed.body.data
    expect((await ada.call('approveProposal', { params: { id }, body: { why: 'Yes' } })).status).toBe(200)

    // A withdrawal that a new address holds, rejected before its link was pressed.
    const customer = await signUp()
    await owner.adjust([
      {
        source: house('treasury'),
        destination: customerAccount(customer.userId, 'spot'),
        currency: 'USDC',
        amount: units('USDC', 100)
      }
    ])
    const asked = { currency: 'USDC', amount: String(units('USDC', 50)), receiver: STRANGER.ETH }
    const { data } = await send('POST', '/users/withdraw/eth/create', { token: customer.token, body: asked })
    const rejected = await finn.call('rejectWithdrawal', { params: { id: data.id }, body: { why: 'We know this address' } })
    expect(rejected.body).toMatchObject({ data: { message: expect.stringContaining('Rejected') } })
    expect(await mailed(customer.email, /(We know this address)/)).toBeDefined()
    const about = { params: { id: customer.userId } }
    expect((await finn.call('findCustomers', { query: { q: customer.email } })).body.data).toHaveLength(1)
    expect((await finn.call('getCustomer', about)).status).toBe(200)
    const body1 = { why: 'A look' }
    expect((await finn.call('holdLonger', { ...about, body: { ...body1, days: '3' } })).status).toBe(200)
    const { holds } = (await finn.call('getCustomer', about)).body.data
    const released = await finn.call('proposeRelease', { ...about, body: { ...body1, holdId: holds[0].id } })
    expect(released.body).toMatchObject({ data: { proposalId: expect.any(String) } })
    expect((await finn.call('endCustomerSessions', { ...about, body: body1 })).status).toBe(200)
    const shown = await finn.call('showPersonalData', { params: { id: customer.userId }, body: { why: 'To call' } })
    expect(shown.body.data).toMatchObject({ email: customer.email })
    const fay = await decidesPayments(desk, { admins: [ada, bela], finn })
    await decidesWallets({ ada, finn, fay })
    await decidesHouse({ finn, fay })
    await decidesNames({ finn, fay })
    await answersCases(finn)
    await servesCustomers({ finn, fay })
    // The signer signs the log's head, the worker cleans up.
    now += 400_000
    await work()
    expect((await finn.call('listAudit')).body.data.signedUpTo).not.toBeNull()
    expect(await problems()).toEqual([])
  })

  /** The worker carries out what two decided about the house. */
  async function decidesHouse({ finn, fay }: Record<'finn' | 'fay', Person>): Promise<void> {
    const why = 'The quarter needs it'
    const byTwo = async (name: DeskCallName, values: Parameters<Person['call']>[1]) => {
      const { proposalId } = (await finn.call(name, values)).body.data
      expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).status, name).toBe(200)
      await work()
      const { carried } = (await finn.call('getProposal', { params: { id: proposalId } })).body.data
      expect(carried, name).toEqual({ state: 'done', error: null })
    }
    await byTwo('proposeFund', { params: { currency: 'PTC' }, body: { amount: '10', why } })
    const params = { chain: 'cpc' }
    await finn.call('stopReading', { params, body: { why } })
    const { reading } = (await finn.call('getHouse')).body.data
    const upTo = reading.find(({ chain }: { chain: string }) => chain === 'cpc').stops[0].id
    await byTwo('proposeReading', { params, body: { why, upTo } })
  }

  /** A customer whose name is like one of the list, found by the worker, is let go by two; the signer asks about it. */
  async function decidesNames({ finn, fay }: Record<'finn' | 'fay', Person>): Promise<void> {
    const { context, ports } = apps.worker
    const why = 'Compared passport and list'
    const { userId } = await signUp()
    await asOwner(`update identity_checks set info = '{"firstName": "Zebulon", "lastName": "Vane"}' where user_id = '${userId}'`)
    await refreshList(context, ports.screen)
    while (ports.screen && (await screenCustomers(context, ports.screen)) > 0);
    const { hits } = (await finn.call('listHits')).body.data
    const { id } = hits.find(({ name }: { name: string }) => name === 'Z. V.')
    const about = { params: { id }, body: { why } }
    expect((await finn.call('showHit', about)).body.data).toMatchObject({ name: 'Zebulon Vane' })
    const { proposalId } = (await finn.call('proposeOtherPerson', about)).body.data
    expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
    const asked = { userId, cents: 1n, now: new Date(now) }
    expect(await withdrawalWaits(apps.signer.context.db, asked)).toBe(false)
    await refreshList(context, undefined)
  }

  /** A mail again, the check again, a higher limit. */
  async function servesCustomers({ finn, fay }: Record<'finn' | 'fay', Person>): Promise<void> {
    const { token, userId, email } = await signUp()
    const why = 'They have called us'
    const about = { params: { id: userId } }
    const asked = await send('POST', '/users/withdraw/limit', { token, body: { dayCents: '2000000', why: 'A house' } })
    expect(asked.data).toMatchObject({ message: 'Asked. We answer by email.' })
    await mailed(email, /(asked for a higher limit|\$20,000)/)
    const { timeline, limitRequests } = (await finn.call('getCustomer', about)).body.data
    const notice = timeline.find(({ mail }: { mail: string | null }) => mail)?.mail
    expect((await finn.call('sendMailAgain', { params: { id: userId, notice }, body: { why } })).status).toBe(200)
    const body = { requestId: limitRequests[0].id, dayCents: '2000000', why }
    const { proposalId } = (await finn.call('proposeLimit', { ...about, body })).body.data
    expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
    expect((await send('GET', '/users/withdraw/limit', { token })).data.dayCents).toBe('2000000')
    expect((await finn.call('askIdentityAgain', { ...about, body: { why } })).status).toBe(200)
    await work()
  }

  async function answersCases(finn: Person): Promise<void> {
    const { token } = await signUp()
    const { number } = (await send('POST', '/support', { token, body: { message: 'Where is it?' } })).data
    await send('POST', '/support', { token, body: { message: 'And?', number } })
    const of = { params: { number } }
    const until = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10)
    const found = (await finn.call('getCase', of)).body.data
    expect(found.messages).toHaveLength(2)
    const seen = found.waitsSince
    const steps = [
      ['assignCase', { to: 'me' }],
      ['noteCase', { text: 'Asked' }],
      ['snoozeCase', { until, why: 'The bank', seen }],
      ['showSender', { why: 'To call' }],
      ['answerCase', { text: 'Here.', seen }],
      ['closeCase', { why: 'Done', seen }]
    ] as const
    for (const [name, body] of steps) expect((await finn.call(name, { ...of, body })).status, name).toBe(200)
    expect((await send('GET', '/support', { token })).data[0]).toMatchObject({ state: 'closed' })
  }

  /** A move, and a refill up to what its file would bring back. */
  async function decidesWallets({ ada, finn, fay }: Record<'ada' | 'finn' | 'fay', Person>): Promise<void> {
    const why = 'The day needs it'
    const { proposalId } = (await finn.call('proposeColdMove', { params: { currency: 'USDC' }, body: { amount: '1', why } })).body
      .data
    expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
    const refill = { params: { id: randomUUID() } }
    await asOwner(
      `insert into refill_orders (id, currency, amount, decided_by, approved_by, why, ordered_at)
        values ('${refill.params.id}', 'USDC', 1, 'staff:${finn.id}', 'staff:${fay.id}', '${why}', '${new Date(now).toISOString()}')`
    )
    expect((await ada.call('agreeRefill', { ...refill, body: { why } })).status).toBe(200)
    // No cold storage is set here: the worker says so.
    await work()
    expect((await finn.call('getWallets')).body.data.refills[0]).toMatchObject({ state: 'refused' })
    expect((await finn.call('endRefill', { ...refill, body: { why } })).status).toBe(200)
  }

  type Desk = ReturnType<typeof deskOf>
  type Person = Awaited<ReturnType<Desk['join']>>

  /** One is assigned, one goes back by file, one is left, recalled and shown; the worker books it all. */
  async function decidesPayments(
    desk: Desk,
    { admins: [ada, bela], finn }: { admins: [Person, Person]; finn: Person }
  ): Promise<Person> {
    const customer = await signUp()
    const body = { name: 'Fay', email: 'fay@desk.example', roles: ['finance', 'compliance'], why: 'New' }
    const { proposalId } = (await ada.call('proposeInvitation', { body })).body.data
    await bela.call('approveProposal', { params: { id: proposalId }, body: { why: 'Yes' } })
    const fay = await desk.join(await mailed('fay@desk.example', /\/join#([\w-]+)/))
    const order = (await send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 19, bankAccountId: 1 } }))
      .data
    const cents = BigInt(order.euroToPay.replace('.', ''))
    const today = new Date(now).toISOString().slice(0, 10)
    const { context, ports } = apps.worker
    const came = (amountCents: bigint) =>
      receiveEntry(
        context,
        { rates: ports.rates, ...hooks },
        {
          entryId: randomUUID(),
          direction: 'credit',
          currency: 'EUR',
          amountCents,
          bookedOn: today,
          valueOn: today,
          payerName: 'Ada Lovelace',
          payerIban: 'AT611904300234573201',
          remittance: 'no reference'
        }
      )
    const done = async (by: Person, name: Parameters<Person['call']>[0], values: Parameters<Person['call']>[1]) => {
      const answer = await by.call(name, values)
      expect([name, answer.status, answer.body.code]).toEqual([name, 200, undefined])
      return answer.body.data
    }
    const of = ({ id }: { id: bigint }) => ({ params: { id: String(id) } })
    const why = 'Looked at it'
    const until = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10)
    const [exact, back, left] = [await came(cents), await came(4_200n), await came(cents - 5_000n)]
    await done(finn, 'assignPayment', { ...of(exact), body: { orderId: order.id, why } })
    const proposed = await done(finn, 'proposeRefund', { ...of(back), body: { why } })
    await done(fay, 'approveProposal', { params: { id: proposed.proposalId }, body: { why } })
    await work()
    expect((await send('GET', `/orders/combo/${order.id}`, { token: customer.token })).data.status).toBe(2)
    await done(finn, 'makeRefundFile', {})
    const [{ id }] = (await done(finn, 'getRefunds', {})).files
    await done(finn, 'downloadRefundFile', { params: { id } })
    await done(fay, 'sendRefundFile', { params: { id } })
    const next = (await send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 19, bankAccountId: 1 } }))
      .data
    await done(finn, 'awaitTopUp', { ...of(left), body: { orderId: next.id, until, why } })
    await done(finn, 'leavePayment', { ...of(left), body: { until, why } })
    await done(finn, 'openRecall', { ...of(left), body: { reason: 'CUST', bankCase: 'C-9', why } })
    await done(finn, 'answerRecall', { ...of(left), body: { answer: 'refused', why } })
    await done(finn, 'getPayment', of(left))
    await done(finn, 'showPayer', { ...of(left), body: { why } })
    await done(finn, 'uploadStatement', {
      body: { name: 'day.xml', content: camt([ntry({ ref: 'R-1', amount: '1.00', bookedOn: today })]) }
    })
    const [uploaded] = await done(finn, 'listBankFiles', {})
    const { preview } = await done(fay, 'getBankFile', { params: { id: uploaded.id } })
    await done(fay, 'acceptStatement', { params: { id: uploaded.id }, body: { why, digest: preview.digest } })
    await work()
    const [file] = await done(finn, 'listBankFiles', {})
    expect(file).toMatchObject({ entries: 1, apart: 1, problems: [] })
    await done(finn, 'getBankFile', { params: { id: file.id } })
    await done(finn, 'listBankDays', {})
    await done(finn, 'listPayments', { query: { filter: 'all' } })
    const about = { id: customer.userId }
    await done(finn, 'noteCustomer', { params: about, body: { why } })
    await done(finn, 'explainBalance', { params: { ...about, currency: 'CPC' } })
    await done(finn, 'findCustomers', { query: { q: 'ab'.repeat(32) } })
    await done(finn, 'getHouse', {})
    await asOwner(
      `insert into jobs (id, kind, payload, run_at, tries, created_at, failed_at, last_error) values (900001, 'receipt', '{}', now(), 12, now(), now(), 'x'), (900002, 'mail', '{}', now(), 12, now(), now(), 'x')`
    )
    await done(finn, 'retryJob', { params: { id: '900001' }, body: { why } })
    expect((await finn.call('retryJob', { params: { id: '900002' }, body: { why } })).body.code).toBe('job_not_failed')
    expect((await finn.call('retryJob', { params: { id: '900001' }, body: { why } })).body.code).toBe('job_not_failed')
    await asOwner('delete from jobs where id in (900001, 900002)')
    await done(finn, 'listRules', {})
    await done(finn, 'setOnCall', { body: { isOnCall: 'yes' } })
    await done(finn, 'listReports', {})
    return fay
  }

  const HEAD = `insert into staff_audit_heads values (999, 'x', 'x', now())`
  it.each([
    ['desk', 'select password_hash from users'],
    ['desk', 'select * from users'],
    ['desk', 'select * from sessions'],
    ['desk', 'select * from codes'],
    ['desk', 'select totp_secret from users'],
    ['desk', 'select payload from jobs'],
    ['desk', `select ledger_post('adjustment', 'x', 'x', 'x', 'x', '[]', now())`],
    ['desk', `update withdrawals set receiver = 'x'`],
    ['desk', `insert into staff_audit values (99, now(), 'x', 'x', 'x', 'x', '{}', '', '')`],
    ['desk', HEAD],
    ['desk', `update payments set amount_cents = 1`],
    ['desk', `insert into payment_decisions values (1, 'refunded', null, 'x', 'x', now())`],
    [
      'desk',
      `insert into refunds (payment_id, amount_cents, creditor_name, creditor_iban, end_to_end_id, created_at) values (1, 1, 'x', 'x', 'x', now())`
    ],
    ['desk', `update refunds set creditor_iban = 'x'`],
    ['desk', `update payment_instructions set creditor_iban = 'x'`],
    ['desk', `update orders set status = 2`],
    ['desk', `update bank_files set received_at = now()`],
    ['desk', `insert into bank_statements (cursor, iban, statement_id, received_at) values ('x', 'x', 'x', now())`],
    ['desk', `insert into rule_runs values ('x', 'x', now(), 'quiet', '', '', '')`],
    ['desk', `delete from alarms`],
    ['desk', `insert into daily_reports values ('2026-01-01', now(), '[]', '', '')`],
    ['web', 'select * from payment_instructions'],
    ['web', 'select * from refunds'],
    ['desk', `update staff set email = 'x'`],
    ['desk', `update staff_proposals set input = '{}'`],
    ['desk', `update staff_keys set public_key = 'x'`],
    ['web', 'select * from staff'],
    ['web', 'select * from staff_keys'],
    ['web', 'select * from staff_audit'],
    ['web', HEAD],
    ['web', `select staff_audit_append(now(), 'x', 'x', 'x', 'x', '{}')`],
    ['worker', 'select * from staff_keys'],
    ['worker', HEAD],
    ['signer', 'select * from staff_keys'],
    ['signer', `select staff_audit_append(now(), 'x', 'x', 'x', 'x', '{}')`]
  ] as const)('%s may not: %s', async (role, text) => {
    expect(await tries(role, text)).toBe(DENIED)
  })

  it('gives nothing back that is on its way: only the worker learns that from the chain', async () => {
    const rows = await asOwner(`select id from withdrawals where state = 'confirmed' limit 1`)
    expect(await tries('desk', `update withdrawals set state = 'given_back' where id = '${rows[0]?.id}'`)).toBe('23000')
    expect(await tries('desk', `select withdrawals_give_back('${rows[0]?.id}', 'x', now())`)).toBe('P0002')
  })
})

it('has a line for every table, view and function', async () => {
  const text = readFileSync('docs/database-roles.sql', 'utf8')
  const relations = await asOwner(`select table_name as name from information_schema.tables where table_schema = 'public'`)
  const functions = await asOwner(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace`)
  const missing = [...relations, ...functions].map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
  expect(missing).toEqual([])
})
