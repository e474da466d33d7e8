/**
 * The same theft with a stolen password of each user of the database: money made in the books, a receiver that counts as confirmed, a
 * withdrawal that counts as approved and worthless. The signer and the verification are what is left to stop it.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { signSends } from '#lib/server/chains/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

/** Ten of them are the most that may leave for new addresses in a day. */
const SMALL = 14
const HOUSE = '00000000-0000-0000-0000-000000000000'
let databaseUrl: string
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>

const clients = new Map<string, pg.Client>()
async function clientOf(user: string): Promise<pg.Client> {
  const url = new URL(databaseUrl)
  if (user !== 'owner') [url.username, url.password] = [`wallet_${user}`, 'stolen']
  const client = clients.get(user) ?? new pg.Client(url.href)
  if (!clients.has(user)) await client.connect()
  clients.set(user, client)
  return client
}

/** With each of these users, whether the database takes it or not: `web desk` has what both may do. */
async function tries(users: string, text: string): Promise<void> {
  for (const user of users.split(' ')) await (await clientOf(user)).query(text).catch(() => undefined)
}

beforeAll(async () => {
  databaseUrl = await freshDatabase(inject('postgresUrl'))
  const owner = new pg.Client(databaseUrl)
  await owner.connect()
  await owner.query(readFileSync('docs/database-roles.sql', 'utf8'))
  for (const role of ['web', 'worker', 'signer', 'desk']) await owner.query(`alter role wallet_${role} password 'stolen'`)
  await owner.end()
  test = await createTestApp({ connection: await openPostgres(databaseUrl, { poolSize: 6, onLost: () => undefined }) })
  w = withdrawalsOf(test)
  await w.stock()
})
afterAll(async () => {
  for (const client of clients.values()) await client.end()
  await test.close()
})

/** Makes the money, the receiver and the withdrawal as far as this user may; returns the withdrawal's id. */
async function steal(user: string, amount: bigint): Promise<string> {
  const { userId } = await test.customer()
  const id = randomUUID()
  const book = (reason: string, from: [string, string], to: [string, string], reference: string) =>
    tries(
      user,
      `select ledger_post('${reason}', 'withdrawal', '${id}', '${reference}', 'x', '${JSON.stringify([
        {
          source: from[0],
          sourceKind: from[1],
          destination: to[0],
          destinationKind: to[1],
          currency: 'BTC',
          amount: String(amount)
        }
      ])}', now())`
    )
  for (const reason of ['adjustment', 'order_completed', 'deposit_credited', 'suspense_decided'])
    for (const kind of ['treasury', 'chain', 'suspense']) await book(reason, [HOUSE, kind], [userId, 'spot'], randomUUID())
  await book('withdrawal_requested', [userId, 'spot'], [userId, 'outgoing'], `withdrawal:${id}`)
  await tries(
    user,
    `insert into withdrawal_addresses (user_id, chain, address, created_at, confirmed_at) values ('${userId}', 'bitcoin', '${STRANGER.BTC}', now(), now())`
  )
  await tries(
    user,
    `insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at, approved_at)
     select '${id}', '${userId}', 'bitcoin', 'BTC', ${amount}, 3000, a.id, '${STRANGER.BTC}', ${amount}, 0, 0, 0, 'approved', now(), now()
     from withdrawal_addresses a where a.user_id = '${userId}'`
  )
  // The desk's user raises limits.
  await tries(
    user,
    `insert into limit_requests (user_id, asked_cents, why, asked_at, due_at, state)
     values ('${userId}', 5000000, 'x', now(), now() + interval '5 days', 'open')`
  )
  await tries(
    user,
    `insert into withdrawal_limits (user_id, day_cents, ends_at, request_id, set_at)
     select user_id, 900000000, now() + interval '90 days', id, now() from limit_requests where user_id = '${userId}'`
  )
  await tries(
    user,
    `insert into withdrawal_decisions (withdrawal_id, decision, actor, why, decided_at) values ('${id}', 'approved', 'staff:grace', 'x', now())`
  )
  return id
}

it.each(['web', 'worker', 'signer', 'desk', 'web desk', 'owner'])('of %s', async (user) => {
  const before = await w.received('BTC')
  const signing = await test.app.chains.signingOf?.('bitcoin')
  if (!signing) throw new Error('The test has the seed')
  const large = await steal(user, units('BTC', 0.2))
  const small: string[] = []
  // As often as it likes: new customers gain nothing.
  for (let count = 0; count < SMALL; count += 1) small.push(await steal(user, units('BTC', 0.05)))
  await w.follow('bitcoin')
  await w.send('bitcoin')
  await w.mine('bitcoin', 12)
  expect(signing.journal.of(large), 'above the approval limit an operator’s own key is asked for').toEqual([])
  const taken = (await w.received('BTC')) - before
  const { problems } = await test.verifyLedger()
  const [row] = rowsOf<{ count: number }>(
    await test.app.context.db.execute(sql`select count(*)::int as count from withdrawal_limits`)
  )
  // What the thief may do is done: the limits were raised, and that gained nothing.
  if (user === 'web desk') expect(row?.count).toBe(SMALL + 1)
  const most = (signing.limits.coins.BTC.day * signing.limits.newPercent) / 100n
  console.log(
    `Theft by SQL with ${user}: ${taken} of ${units('BTC', 0.2) + units('BTC', 0.05) * BigInt(SMALL)} satoshi left, at most ${most} a day to new addresses may; found by ledger:verify: ${problems.length}`
  )
  // Rows and bookings within a user's rights pay nothing: another user would have to make the rest of them.
  if (user !== 'owner') expect([user, taken]).toEqual([user, 0n])
  else expect(taken).toBeLessThanOrEqual(most)
  // Whoever owns the tables makes both. The next verification says so.
  if (user === 'owner') expect(problems.join('\n')).toMatch(/the completed order was not booked, or is booked and not completed/)
})

it.each(['USDC', 'CPC'] as const)(
  'of bitcoin for own %s: a row whose token is not of its chain is not signed',
  async (currency) => {
    const customer = await test.customer()
    const { userId } = customer
    const id = randomUUID()
    const amount = units(currency, 30)
    await w.fund(customer, currency, amount)
    const parts = [
      { source: userId, sourceKind: 'spot', destination: userId, destinationKind: 'outgoing', currency, amount: String(amount) }
    ]
    const web = await clientOf('web')
    await web.query(
      `select ledger_post('withdrawal_requested', 'withdrawal', '${id}', 'withdrawal:${id}', 'x', '${JSON.stringify(parts)}', now())`
    )
    await web.query(
      `insert into withdrawal_addresses (user_id, chain, address, created_at, confirmed_at) values ('${userId}', 'bitcoin', '${STRANGER.BTC}', now(), now())`
    )
    await web.query(
      `insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at, approved_at)
     select '${id}', '${userId}', 'bitcoin', '${currency}', ${amount}, ${WITHDRAWAL_FEES[currency]}, a.id, '${STRANGER.BTC}', ${amount}, 0, 0, 0, 'approved', now(), now()
     from withdrawal_addresses a where a.user_id = '${userId}'`
    )
    await w.follow('bitcoin')
    await w.send('bitcoin')
    const signing = await test.app.chains.signingOf?.('bitcoin')
    expect(signing?.journal.of(id)).toEqual([])
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved', waits: 'checked' })
    // The part that signs refuses it too, whoever asks.
    const asked = { id, payout: { to: STRANGER.BTC, token: currency, amount }, mostFee: 10n ** 18n, cents: 1n }
    if (!signing) throw new Error('The test has the seed')
    const results = await signSends(test.app.context, signing, { purpose: 'withdrawal', claim: async (_, ids) => ids }, [asked])
    expect(results.get(id)).toMatchObject({
      error: expect.objectContaining({ message: expect.stringContaining('not of bitcoin') })
    })
    expect(signing.journal.of(id)).toEqual([])
  }
)
