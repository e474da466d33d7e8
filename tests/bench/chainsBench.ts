/** Chains: what reading blocks costs with many customers, and how fast deposits are credited and withdrawals signed. */
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { sandboxMine, sandboxPay } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { type ChainNode, followChain } from '#lib/server/chains/index.ts'
import type { Block } from '#lib/server/chains/port.ts'
import { chainAddresses } from '#lib/server/chains/schema.ts'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { type Connection, type Database, openPostgres } from '#lib/server/platform/db/client.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { interleave, type Row, ratioRow } from './measure.ts'

const BLOCKS = 40
const TRANSACTIONS = 300
const FEW = 1_000
const MANY = 100_000
const DEPOSITS = 500
const WITHDRAWALS = 150
const ROWS = 5_000

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const addressOf = (index: number) => `bcrt1q${hash(String(index)).slice(0, 38)}`

async function watch(db: Database, count: number): Promise<void> {
  for (let from = 0; from < count; from += ROWS)
    await db.insert(chainAddresses).values(
      Array.from({ length: Math.min(ROWS, count - from) }, (_, index) => ({
        chain: 'bitcoin' as const,
        purpose: 'deposit' as const,
        position: from + index,
        address: addressOf(from + index),
        signature: 'bench',
        createdAt: new Date()
      }))
    )
  await db.execute(sql`analyze chain_addresses`)
}

/** A node whose blocks hold payments of strangers; one transaction in a hundred pays one of our addresses. */
function node(): { node: ChainNode; grow: () => void } {
  const blocks: Block[] = []
  const add = (isEmpty: boolean) => {
    const height = blocks.length
    const name = hash(`${randomUUID()}`)
    blocks.push({
      height,
      hash: name,
      parent: blocks.at(-1)?.hash ?? '',
      transactions: Array.from({ length: isEmpty ? 0 : TRANSACTIONS }, (_, index) => ({
        id: hash(`${name} ${index}`),
        senders: [],
        spends: [`${hash(`${name} spent ${index}`)}:0`],
        payments: [0, 1].map((output) => ({
          index: String(output),
          address:
            index % 100 === 0 && output === 0
              ? addressOf((index * 7 + height) % FEW)
              : `bcrt1q${hash(`${name} ${index} ${output}`).slice(0, 38)}`,
          token: 'BTC',
          amount: 100_000n
        }))
      }))
    })
  }
  add(true)
  const unused = async (): Promise<never> => Promise.reject(new Error('not used here'))
  return {
    grow: () => {
      for (let count = 0; count < BLOCKS; count += 1) add(false)
    },
    node: {
      chain: 'bitcoin',
      tip: async () => ({ height: blocks.length - 1, hash: blocks.at(-1)?.hash ?? '' }),
      hashAt: async (height) => blocks[height]?.hash ?? '',
      blockAt: async (height) => blocks[height] ?? unused(),
      price: unused,
      sizeOf: unused,
      holds: unused,
      findUnknown: unused,
      broadcast: unused
    }
  }
}

async function open(url: string) {
  const connection: Connection = await openPostgres(url, { poolSize: 4, onLost: () => undefined })
  const app = await compose(readConfig({ LOG_LEVEL: 'silent', LIMIT_SCALE: '1000' }), { connection, recurring: false })
  return { app, db: connection.db, context: app.context, following: app.chains.following }
}

/** `urls`: two separate databases. */
async function benchReading([few = '', many = '']: string[]): Promise<Row[]> {
  const made = []
  for (const [url, count] of [
    [few, FEW],
    [many, MANY]
  ] as const) {
    const { app, db, context, following } = await open(url)
    await watch(db, count)
    const { node: chain, grow } = node()
    await followChain(context, chain, following)
    const run = async () => {
      grow()
      const began = performance.now()
      await followChain(context, chain, following)
      return BLOCKS / ((performance.now() - began) / 1000)
    }
    made.push({ app, run })
  }
  const [ofFew = 0, ofMany = 0] = await interleave(
    made.map(({ run }, index) => ({ name: String(index), run })),
    5
  )
  for (const { app } of made) await app.close()
  const cost = ofFew / ofMany
  return [
    {
      what: 'blocks read a second, 300 transactions each, 1,000 addresses watched',
      value: ofFew.toFixed(0),
      wanted: '',
      holds: undefined
    },
    { what: 'cost of a block with 100,000 addresses against 1,000', value: cost.toFixed(2), wanted: '≤ 1.2', holds: cost <= 1.2 }
  ]
}

async function benchMoney(url: string): Promise<Row[]> {
  const { app, db, context } = await open(url)
  const chains = app.sandbox?.chains
  const { signingOf, withdrawals } = app.chains
  if (!chains || !signingOf) throw new Error('The bench runs in the sandbox')
  await chains.stock()
  const userId = randomUUID()
  await db.execute(sql`
    insert into users (id, email, password_hash, phone, referral_code, created_at, updated_at)
    values (${userId}, 'bench@example.com', '-', '-', 'BENCH', now(), now())`)
  await db.execute(sql`
    insert into identity_checks (user_id, applicant_id, review_status, status_at, created_at, updated_at)
    values (${userId}, 'bench', 'completed', now(), now(), now())`)
  const free = await db.execute(sql`
    update chain_addresses set user_id = ${userId}, assigned_at = now()
    where id = (select id from chain_addresses where chain = 'cpc' and purpose = 'deposit' and user_id is null order by id limit 1) returning address`)
  const address = (free as unknown as { rows: { address: string }[] }).rows[0]?.address ?? ''
  await chains.follow('cpc')
  const payments = Array.from({ length: DEPOSITS }, () => ({ address, token: 'CPC', amount: 10_000_000_000n }))
  await sandboxPay(context, 'cpc', payments)
  await sandboxMine(context, 'cpc', 1)
  await chains.follow('cpc')
  await sandboxMine(context, 'cpc', 9)
  const credited = await perSecond(DEPOSITS, () => chains.follow('cpc'))
  const booked = await perSecond(DEPOSITS, async () => {
    for (let count = 0; count < DEPOSITS; count += 1) await bookOne(db, userId)
  })
  await approve(db, userId)
  const signing = await signingOf('ethereum')
  await chains.follow('ethereum')
  const signed = await perSecond(WITHDRAWALS, () => signApproved(context, withdrawals, signing))
  const [{ count = '0' } = {}] = (
    (await db.execute(sql`select count(*)::text as count from withdrawals where state = 'signed'`)) as unknown as {
      rows: { count: string }[]
    }
  ).rows
  if (Number(count) !== WITHDRAWALS) throw new Error(`${count} of ${WITHDRAWALS} withdrawals were signed`)
  await app.close()
  const row = (what: string, value: number): Row => ({ what, value: value.toFixed(0), wanted: '', holds: undefined })
  return [
    row('deposits credited a second', credited),
    ratioRow('the same against one ledger transfer after the other', credited / booked, 1),
    row('withdrawals checked, planned and signed a second', signed),
    ratioRow('the same against one ledger transfer after the other', signed / booked, 0.25)
  ]
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return count / ((performance.now() - began) / 1000)
}

async function bookOne(db: Database, userId: string): Promise<void> {
  const id = randomUUID()
  await post(db, {
    reason: 'adjustment',
    source: { type: 'adjustment', id },
    reference: id,
    actor: { kind: 'system', id: 'bench' },
    transfers: [{ source: house('treasury'), destination: customerAccount(userId, 'spot'), currency: 'ETH', amount: 10n ** 17n }],
    at: new Date()
  })
}

/** Approved withdrawals of ether with their bookings, as `withdrawals/request.ts` leaves them. */
async function approve(db: Database, userId: string): Promise<void> {
  const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  await db.execute(sql`
    insert into withdrawal_addresses (user_id, chain, address, created_at, confirmed_at) values (${userId}, 'ethereum', ${to}, now(), now())`)
  for (let count = 0; count < WITHDRAWALS; count += 1) {
    const id = randomUUID()
    const amount = 10n ** 16n
    await db.execute(sql`
      insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at)
      select ${id}, ${userId}, 'ethereum', 'ETH', ${amount.toString()}::numeric, 800000000000000, id, ${to}, ${amount.toString()}::numeric, 0, 3300, 3000, 'approved', now()
      from withdrawal_addresses where user_id = ${userId}`)
    await post(db, {
      reason: 'withdrawal_requested',
      source: { type: 'withdrawal', id },
      reference: `withdrawal:${id}`,
      actor: { kind: 'system', id: 'bench' },
      transfers: [
        { source: customerAccount(userId, 'spot'), destination: customerAccount(userId, 'outgoing'), currency: 'ETH', amount }
      ],
      at: new Date()
    })
  }
}

export async function benchChains(urls: string[]): Promise<Row[]> {
  return [...(await benchReading(urls)), ...(await benchMoney(urls[2] ?? ''))]
}
