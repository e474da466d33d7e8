import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUSTOMER_KINDS, emptyHolding } from '#lib/domain/ledger/holdings.ts'
import { holdingsOf } from '#lib/server/ledger/holdings.ts'
import { AlreadyBookedError, customerAccount, house, InsufficientFundsError, type Transfer } from '#lib/server/ledger/post.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { databaseError } from '#lib/server/platform/db/faults.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const db = () => test.app.context.db
const book = (transfers: Transfer[], reference: string = randomUUID()) => test.adjust(transfers, reference)
const fund = (owner: string, amount: bigint, currency = 'CPC') =>
  book([{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency, amount }])
const spotOf = async (owner: string, currency = 'CPC') => (await holdingsOf(db(), owner)).get(currency)?.spot ?? 0n

describe('the ledger', () => {
  it('moves an amount from one account to another', async () => {
    const owner = randomUUID()
    await fund(owner, 100n)
    await book([
      { source: customerAccount(owner, 'spot'), destination: customerAccount(owner, 'funding'), currency: 'CPC', amount: 30n }
    ])
    expect((await holdingsOf(db(), owner)).get('CPC')).toEqual({ ...emptyHolding(), spot: 70n, funding: 30n })
  })

  it('holds amounts far beyond 64 bits', async () => {
    const owner = randomUUID()
    const huge = 10n ** 60n + 7n
    await fund(owner, huge, 'ETH')
    expect(await spotOf(owner, 'ETH')).toBe(huge)
  })

  it('books a reference once', async () => {
    const owner = randomUUID()
    const reference = `once:${owner}`
    const transfers = [{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 5n }]
    const results = await Promise.allSettled([1, 2, 3].map(() => book(transfers, reference)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AlreadyBookedError)
    expect(await spotOf(owner)).toBe(5n)
  })

  it('books all of a list or nothing', async () => {
    const [owner, other] = [randomUUID(), randomUUID()]
    await fund(owner, 10n)
    const list = [
      { source: customerAccount(owner, 'spot'), destination: customerAccount(other, 'spot'), currency: 'CPC', amount: 6n },
      { source: customerAccount(owner, 'spot'), destination: customerAccount(other, 'spot'), currency: 'CPC', amount: 6n }
    ]
    await expect(book(list)).rejects.toBeInstanceOf(InsufficientFundsError)
    expect([await spotOf(owner), await spotOf(other)]).toEqual([10n, 0n])
  })

  it.each([0n, -1n])('refuses an amount of %s', async (amount) => {
    await expect(fund(randomUUID(), amount)).rejects.toThrow()
  })

  it('refuses a transfer from an account to itself', async () => {
    const owner = randomUUID()
    await fund(owner, 10n)
    await expect(
      book([{ source: customerAccount(owner, 'spot'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 1n }])
    ).rejects.toThrow()
    expect(await spotOf(owner)).toBe(10n)
  })

  it.each([
    'update postings set amount = amount + 1',
    'delete from postings',
    'truncate postings',
    "update ledger_transactions set reason = 'x'",
    'delete from ledger_transactions',
    'delete from payments'
  ])('refuses "%s": what is booked stays', async (statement) => {
    await fund(randomUUID(), 1n)
    const refused = await db()
      .execute(sql.raw(statement))
      .then(
        () => undefined,
        (error: unknown) => databaseError(error)
      )
    expect(refused?.code).toBe('23000')
  })

  it('lets no customer account below zero, whoever writes', async () => {
    const owner = randomUUID()
    await fund(owner, 5n)
    const refused = await behindTheBack(db(), sql`update accounts set balance = -1 where owner_id = ${owner}`).then(
      () => undefined,
      (error: unknown) => databaseError(error)
    )
    expect(refused?.constraint).toBe('accounts_balance_not_negative')
  })

  it.each([
    sql`update accounts set balance = balance + 1`,
    sql`delete from accounts`,
    sql`truncate accounts cascade`,
    sql`insert into accounts (owner_id, currency, kind, balance) values (gen_random_uuid(), 'CPC', 'spot', 5)`
  ])('lets nothing but a posting change a balance: %#', async (statement) => {
    await fund(randomUUID(), 5n)
    await expect(db().execute(statement)).rejects.toThrow()
  })

  it('keeps every invariant under any random sequence of transfers, in parallel', async () => {
    const owners = [randomUUID(), randomUUID(), randomUUID()]
    for (const owner of owners) await fund(owner, 1000n, 'USDC')
    // `outgoing` belongs to withdrawals, and is checked against them.
    const kinds = CUSTOMER_KINDS.filter((kind) => kind !== 'outgoing')
    const anyAccount = fc.record({ owner: fc.constantFrom(...owners), kind: fc.constantFrom(...kinds) })
    const anyTransfer = fc.record({ source: anyAccount, destination: anyAccount, amount: fc.bigInt(1n, 700n) })
    const anyBatch = fc.array(fc.array(anyTransfer, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(anyBatch, async (batch) => {
        const results = await Promise.allSettled(
          batch.map((transfers) => book(transfers.map((transfer) => ({ ...transfer, currency: 'USDC' }))))
        )
        for (const result of results) {
          if (result.status === 'rejected' && !(result.reason instanceof InsufficientFundsError)) {
            expect(databaseError(result.reason).constraint).toBe('postings_two_accounts')
          }
        }
        const holdings = await Promise.all(owners.map((owner) => holdingsOf(db(), owner)))
        const total = holdings
          .flatMap((holding) => Object.values(holding.get('USDC') ?? {}))
          .reduce((sum, part) => sum + part, 0n)
        expect(total).toBe(3000n)
        expect((await test.verifyLedger()).problems).toEqual([])
      }),
      { numRuns: 25 }
    )
  })
})

describe('ledger:verify', () => {
  it('counts, and finds a balance that somebody changed by hand', async () => {
    const own = await createTestApp()
    const owner = randomUUID()
    await own.adjust([{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 9n }])
    expect(await own.verifyLedger()).toEqual({
      accounts: 3,
      transactions: 1,
      postings: 2,
      currencies: 1,
      problems: []
    })
    await behindTheBack(own.app.context.db, sql`update accounts set balance = 10 where owner_id = ${owner}`)
    const { problems } = await own.verifyLedger()
    expect(problems.some((problem) => problem.startsWith('the balance differs from the sum of the postings'))).toBe(true)
    expect(problems.some((problem) => problem.startsWith('the currency does not sum to zero'))).toBe(true)
    await own.close()
  })
})

describe('moving between spot and funding', () => {
  const move = (token: string, way: 'spot-to-funding' | 'funding-to-spot', body: object, key: string = randomUUID()) =>
    test.send('POST', `/users/balance/transfer-from-${way}`, { token, body, headers: { 'idempotency-key': key } })

  it('moves there and back, and answers the balance after it', async () => {
    const { token, userId } = await test.customer()
    await fund(userId, 100n)
    const there = await move(token, 'spot-to-funding', { currency: 'CPC', amount: '40' })
    expect(there.body.data).toMatchObject({
      currency: 'CPC',
      totalBalance: '100',
      wallet: { spotBalance: '60', fundingBalance: { total: '40', frozen_balance: '0' } }
    })
    const back = await move(token, 'funding-to-spot', { currency: 'CPC', amount: '15' })
    expect(back.body.data.wallet).toEqual({ spotBalance: '75', fundingBalance: { total: '25', frozen_balance: '0' } })
  })

  it('moves once for a key, however often it is sent', async () => {
    const { token, userId } = await test.customer()
    await fund(userId, 100n)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => move(token, 'spot-to-funding', { currency: 'CPC', amount: '30' }, 'same'))
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await spotOf(userId)).toBe(70n)
    expect((await move(token, 'spot-to-funding', { currency: 'CPC', amount: '31' }, 'same')).body.code).toBe(
      'idempotency_key_reused'
    )
    expect((await move(token, 'funding-to-spot', { currency: 'CPC', amount: '30' }, 'same')).body.code).toBe(
      'idempotency_key_reused'
    )
  })

  it('never moves more than there is, whatever comes at once', async () => {
    const { token, userId } = await test.customer()
    await fund(userId, 100n)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => move(token, 'spot-to-funding', { currency: 'CPC', amount: '30' }))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 'insufficient_spot',
      message: 'Insufficient Balance'
    })
    expect(await spotOf(userId)).toBe(10n)
  })

  it.each([
    [{ currency: 'CPC', amount: '0' }, 'amount_invalid'],
    [{ currency: 'DOGE', amount: '1' }, 'currency_unsupported'],
    [{ currency: 'CPC', amount: '-1' }, 'invalid_fields'],
    [{ currency: 'CPC', amount: '1.5' }, 'invalid_fields'],
    [{ currency: 'CPC', amount: 1 }, 'invalid_fields'],
    [{ currency: 'CPC', amount: '9'.repeat(78) }, 'insufficient_spot']
  ])('refuses %o with %s', async (body, code) => {
    const { token } = await test.customer()
    expect((await move(token, 'spot-to-funding', body)).body.code).toBe(code)
  })

  it('works without a key, and then every call counts', async () => {
    const { token, userId } = await test.customer()
    await fund(userId, 10n)
    const send = () =>
      test.send('POST', '/users/balance/transfer-from-spot-to-funding', { token, body: { currency: 'CPC', amount: '4' } })
    expect((await send()).status).toBe(200)
    expect((await send()).body.data.wallet).toMatchObject({ spotBalance: '2', fundingBalance: { total: '8' } })
    expect((await send()).body.code).toBe('insufficient_spot')
  })

  it('keeps nothing of a request that failed: the key can be used again', async () => {
    const { token, userId } = await test.customer()
    expect((await move(token, 'spot-to-funding', { currency: 'CPC', amount: '5' }, 'later')).body.code).toBe('insufficient_spot')
    await fund(userId, 5n)
    expect((await move(token, 'spot-to-funding', { currency: 'CPC', amount: '5' }, 'later')).status).toBe(200)
    const [row] = rowsOf<{ n: number }>(
      await db().execute(sql`select count(*)::int as n from idempotency_keys where actor = ${`customer:${userId}`}`)
    )
    expect(row?.n).toBe(1)
  })
})

describe('what a customer has of a token', () => {
  const balanceOf = async (token: string) => (await test.send('GET', '/users/balance', { token })).body.data.CPC
  const totalOn = async (token: string) =>
    (await test.send('GET', '/users/balance/statement?currency=CPC', { token })).body.data.balance

  it('is the same total whatever kind of account holds it, in the balance and in the statement', async () => {
    const { token, userId } = await test.customer()
    await fund(userId, 700n)
    for (const kind of CUSTOMER_KINDS.filter((one) => one !== 'spot')) {
      await book([
        { source: customerAccount(userId, 'spot'), destination: customerAccount(userId, kind), currency: 'CPC', amount: 100n }
      ])
      expect((await balanceOf(token)).totalBalance, kind).toBe('700')
      expect(await totalOn(token), kind).toBe('700')
    }
    expect(await balanceOf(token)).toMatchObject({
      mainBalance: '100',
      stakedBalance: '100',
      lockedBalance: '100',
      outgoingBalance: '100',
      rewardBalance: '100',
      wallet: { spotBalance: '100', fundingBalance: { total: '200', frozen_balance: '100' } }
    })
  })

  it('lets rewards be moved to spot, once for a key and never more than there are', async () => {
    const { token, userId } = await test.customer()
    await book([{ source: house('rewards'), destination: customerAccount(userId, 'reward'), currency: 'CPC', amount: 50n }])
    const send = (amount: string, key: string) =>
      test.send('POST', '/users/balance/transfer-from-reward-to-spot', {
        token,
        body: { currency: 'CPC', amount },
        headers: { 'idempotency-key': key }
      })
    const answers = await Promise.all(['a', 'a', 'b'].map((key) => send('30', key)))
    // The key that came first books once; the other finds too little left.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThan(0)
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'insufficient_reward',
      message: 'Insufficient Rewards Balance'
    })
    expect(await balanceOf(token)).toMatchObject({ mainBalance: '30', rewardBalance: '20', totalBalance: '50' })
    const { lines } = (await test.send('GET', '/users/balance/statement?currency=CPC&account=reward', { token })).body.data
    expect(lines.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])).toEqual([
      ['move', '-30'],
      ['reward', '50']
    ])
  })
})
