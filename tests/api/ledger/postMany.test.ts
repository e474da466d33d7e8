import { randomUUID } from 'node:crypto'
import { sql, TransactionRollbackError } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUSTOMER_KINDS, type CustomerKind, type HouseKind } from '#lib/domain/ledger/holdings.ts'
import {
  AlreadyBookedError,
  type Booking,
  customerAccount,
  house,
  InsufficientFundsError,
  lockedFund,
  lockedHolding,
  type Outcome,
  post,
  postMany,
  type Transfer
} from '#lib/server/ledger/index.ts'
import { HOUSE_ID } from '#lib/server/ledger/schema.ts'
import { type Executor, rowsOf } from '#lib/server/platform/db/client.ts'
import { databaseError } from '#lib/server/platform/db/faults.ts'
import { tryAgain } from '#lib/server/platform/transaction.ts'
import { untilWaiting } from '#support/lockWaits.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const db = () => test.app.context.db

function booking(transfers: Transfer[], reference: string = randomUUID()): Booking {
  return {
    reason: 'adjustment',
    source: { type: 'adjustment', id: reference },
    reference,
    actor: { kind: 'system', id: 'test' },
    transfers,
    at: test.app.context.clock()
  }
}

const give = (owner: string, amount: bigint, currency = 'CPC') =>
  booking([{ source: house('chain'), destination: customerAccount(owner, 'spot'), currency, amount }])
const move = (from: string, to: string, amount: bigint, reference?: string) =>
  booking(
    [{ source: customerAccount(from, 'spot'), destination: customerAccount(to, 'spot'), currency: 'CPC', amount }],
    reference
  )

/** The lines of an owner's accounts as the books have them, with the balance of the account after each. */
async function linesOf(owner: string, executor: Executor = db()): Promise<unknown[]> {
  return rowsOf(
    await executor.execute(sql`
      select a.kind, p.currency, p.source_id = a.id as "isOut", p.amount::text,
        case when p.source_id = a.id then p.source_balance else p.destination_balance end::text as balance
      from accounts a join postings p on a.id in (p.source_id, p.destination_id) where a.owner_id = ${owner} order by p.id, a.kind`)
  )
}

/** What `post` says of a booking, in the words of `postMany`. */
function alone(made: Booking): Promise<string> {
  return post(db(), made).then(
    () => 'booked',
    (error: unknown) => {
      if (error instanceof InsufficientFundsError) return 'insufficient_funds'
      if (error instanceof AlreadyBookedError) return 'already_booked'
      if (databaseError(error).constraint?.startsWith('postings_')) return 'invalid'
      throw error
    }
  )
}

const wordOf = ({ refused }: Outcome): string => refused ?? 'booked'

describe('many bookings in one call', () => {
  it('books each as its own transaction, in their order, and tells its id', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const list = [give(one, 10n), move(one, other, 4n), move(other, one, 1n)]
    const made = await postMany(db(), list)
    expect(made.map(({ id }) => typeof id)).toEqual(['bigint', 'bigint', 'bigint'])
    const found = rowsOf<{ reference: string }>(
      await db().execute(
        sql`select reference from ledger_transactions where id in (${sql.join(
          made.map(({ id }) => sql`${id}`),
          sql`, `
        )}) order by id`
      )
    )
    expect(found.map(({ reference }) => reference)).toEqual(list.map(({ reference }) => reference))
    expect(await linesOf(other)).toEqual([
      { kind: 'spot', currency: 'CPC', isOut: false, amount: '4', balance: '4' },
      { kind: 'spot', currency: 'CPC', isOut: true, amount: '1', balance: '3' }
    ])
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('keeps accounts apart whose names are alike, and refuses a booking without a transfer', async () => {
    const owner = randomUUID()
    const transfer = (sourceKind: string, destinationKind: string, currency: string, amount: string) => ({
      source: HOUSE_ID,
      sourceKind,
      destination: owner,
      destinationKind,
      currency,
      amount
    })
    const write = (tx: Executor, transfers: unknown) =>
      tx.execute(
        sql`select ledger_write('adjustment', 'adjustment', 'test', ${randomUUID()}, 'test', ${JSON.stringify(transfers)}::jsonb, now())`
      )
    await db()
      .transaction(async (tx) => {
        await write(tx, [
          transfer('a b', 'a c', 'USD', '5'),
          transfer('b', 'c', 'USD a', '7'),
          transfer('x', "x'y", 'USD', '8'),
          transfer('x', 'y', "USD'x", '9')
        ])
        expect(await linesOf(owner, tx)).toEqual([
          { kind: 'a c', currency: 'USD', isOut: false, amount: '5', balance: '5' },
          { kind: 'c', currency: 'USD a', isOut: false, amount: '7', balance: '7' },
          { kind: "x'y", currency: 'USD', isOut: false, amount: '8', balance: '8' },
          { kind: 'y', currency: "USD'x", isOut: false, amount: '9', balance: '9' }
        ])
        tx.rollback()
      })
      .catch((error: unknown) => {
        if (!(error instanceof TransactionRollbackError)) throw error
      })
    for (const none of [[], null]) {
      const refused = await write(db(), none).catch((error: unknown) => databaseError(error).code)
      // `null` in JSON is no list.
      expect(refused).toBe(none === null ? '22023' : '22000')
    }
  })

  it('refuses an amount that no account can hold like any amount that is not there, alone and among many', async () => {
    const [one = '', other = ''] = [randomUUID(), randomUUID()].sort()
    await postMany(db(), [give(one, 5n), give(other, 5n)])
    const most = 10n ** 78n - 1n
    for (const absurd of [move(one, other, most), move(other, one, most)]) {
      expect(wordOf((await postMany(db(), [absurd]))[0] as Outcome)).toBe('insufficient_funds')
      expect(await alone(absurd)).toBe('insufficient_funds')
    }
    // From an account of ours, which may go below zero.
    for (const absurd of [give(one, most), give(other, most)]) {
      expect((await postMany(db(), [absurd, give(one, 1n)])).map(wordOf)).toEqual(['insufficient_funds', 'booked'])
      expect(await alone(absurd)).toBe('insufficient_funds')
    }
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('refuses a bad one alone, and what it had moved is given back for those after it', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const known = give(one, 10n)
    await post(db(), known)
    const half = booking([
      { source: customerAccount(one, 'spot'), destination: customerAccount(other, 'spot'), currency: 'CPC', amount: 8n },
      { source: customerAccount(one, 'spot'), destination: customerAccount(other, 'spot'), currency: 'CPC', amount: 8n }
    ])
    const itself = booking([
      { source: customerAccount(one, 'spot'), destination: customerAccount(one, 'spot'), currency: 'CPC', amount: 1n }
    ])
    const made = await postMany(db(), [
      known,
      half,
      itself,
      move(one, other, 0n),
      move(one, other, -3n),
      move(one, other, 10n),
      move(one, other, 1n)
    ])
    expect(made.map(wordOf)).toEqual([
      'already_booked',
      'insufficient_funds',
      'invalid',
      'invalid',
      // A negative amount takes from the other, who has nothing.
      'insufficient_funds',
      'booked',
      'insufficient_funds'
    ])
    expect(await linesOf(one)).toHaveLength(2)
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('leaves a second booking of one reference for a call of its own', async () => {
    const owner = randomUUID()
    const twice = give(owner, 3n)
    expect((await postMany(db(), [twice, twice])).map(wordOf)).toEqual(['booked', 'busy'])
    expect(await linesOf(owner)).toHaveLength(1)
  })

  it('takes no more from the fund of staking rewards than it has', async () => {
    const owner = randomUUID()
    const pay = (amount: bigint) =>
      booking([{ source: house('staking_rewards'), destination: customerAccount(owner, 'reward'), currency: 'PTC', amount }])
    const fill = booking([{ source: house('chain'), destination: house('staking_rewards'), currency: 'PTC', amount: 10n }])
    expect((await postMany(db(), [pay(1n), fill, pay(6n), pay(5n), pay(4n)])).map(wordOf)).toEqual([
      'insufficient_funds',
      'booked',
      'booked',
      'insufficient_funds',
      'booked'
    ])
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('does the same as single calls, whatever is asked', async () => {
    const names = ['a', 'b', 'c', 'd'] as const
    const kinds = CUSTOMER_KINDS.filter((kind): kind is CustomerKind => kind !== 'outgoing')
    const anySide = fc.oneof(
      { weight: 6, arbitrary: fc.record({ who: fc.constantFrom(...names), kind: fc.constantFrom(...kinds.slice(0, 3)) }) },
      { weight: 2, arbitrary: fc.constantFrom('chain' as const, 'cold' as const) }
    )
    const anyTransfer = fc.record({
      source: anySide,
      destination: anySide,
      currency: fc.constantFrom('CPC', 'PTC'),
      amount: fc.oneof({ weight: 9, arbitrary: fc.bigInt(1n, 60n) }, { weight: 1, arbitrary: fc.bigInt(-20n, 0n) })
    })
    const anyList = fc.array(
      fc.record({ transfers: fc.array(anyTransfer, { minLength: 1, maxLength: 4 }), same: fc.option(fc.nat(5), { freq: 8 }) }),
      { minLength: 1, maxLength: 16 }
    )
    await fc.assert(
      fc.asyncProperty(anyList, async (list) => {
        /** The same list for four owners of its own. */
        const worldOf = async () => {
          const owners = Object.fromEntries(names.map((name) => [name, randomUUID()]))
          for (const owner of Object.values(owners))
            for (const currency of ['CPC', 'PTC']) await post(db(), give(owner, 100n, currency))
          const sideOf = (side: HouseKind | { who: string; kind: CustomerKind }) =>
            typeof side === 'string' ? house(side) : customerAccount(owners[side.who] ?? '', side.kind)
          const references = list.map(() => randomUUID())
          const bookings = list.map(({ transfers, same }, index) =>
            booking(
              transfers.map((transfer) => ({
                ...transfer,
                source: sideOf(transfer.source),
                destination: sideOf(transfer.destination)
              })),
              same !== null && same < index ? references[same] : references[index]
            )
          )
          return { owners: Object.values(owners), bookings }
        }
        const [many, single] = [await worldOf(), await worldOf()]
        const expected: string[] = []
        for (const made of single.bookings) expected.push(await alone(made))
        const told: string[] = []
        for (const [index, outcome] of (await postMany(db(), many.bookings)).entries()) {
          const made = many.bookings[index]
          // Only a second booking of a reference may be left for its own call, which the first decides then.
          if (outcome.refused !== 'busy' || !made) told.push(wordOf(outcome))
          else {
            expect(many.bookings.findIndex(({ reference }) => reference === made.reference)).toBeLessThan(index)
            told.push('later')
          }
        }
        if (!told.includes('later')) {
          expect(told).toEqual(expected)
          expect(await Promise.all(many.owners.map((owner) => linesOf(owner)))).toEqual(
            await Promise.all(single.owners.map((owner) => linesOf(owner)))
          )
        }
      }),
      { numRuns: 40 }
    )
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})

describe.skipIf(!isPostgres)('many bookings beside others', () => {
  const ownersOf = async (count: number) => {
    const owners = Array.from({ length: count }, () => randomUUID())
    await postMany(
      db(),
      owners.map((owner) => give(owner, 1000n))
    )
    return owners
  }

  it('an account that is locked delays its own booking alone', async () => {
    const [locked = '', other = ''] = await ownersOf(2)
    const [isHeld, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = db().transaction(async (tx) => {
      await lockedHolding(tx, locked, 'CPC')
      isHeld.resolve()
      await isFree.promise
    })
    await isHeld.promise
    const made = await postMany(db(), [move(locked, other, 1n), give(other, 5n), give(locked, 5n)])
    expect(made.map(wordOf)).toEqual(['busy', 'booked', 'busy'])
    const later = post(db(), move(locked, other, 1n))
    isFree.resolve()
    await holder
    await later
    expect(await linesOf(locked)).toHaveLength(2)
  })

  it('a single booking that is short waits for a credit that is under way', async () => {
    const [poor = '', other = ''] = await ownersOf(2)
    await post(db(), move(poor, other, 1000n))
    const [isCredited, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const credit = db().transaction(async (tx) => {
      await post(tx, give(poor, 7n))
      isCredited.resolve()
      await isOver.promise
    })
    await isCredited.promise
    const spent = alone(move(poor, other, 7n))
    expect(await Promise.race([spent, new Promise((resume) => setTimeout(resume, 300, 'waits'))])).toBe('waits')
    isOver.resolve()
    await credit
    expect([await spent, await alone(move(poor, other, 1n))]).toEqual(['booked', 'insufficient_funds'])
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('two single bookings that open the same account never wait for each other', async () => {
    const owner = randomUUID()
    const reward = customerAccount(owner, 'reward')
    await post(db(), booking([{ source: house('chain'), destination: reward, currency: 'CPC', amount: 5n }]))
    const claim = () => booking([{ source: reward, destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 2n }])
    const other = await db().transaction(async (tx) => {
      await lockedHolding(tx, owner, 'CPC')
      const waiting = alone(claim())
      await untilWaiting(db())
      await post(tx, claim())
      return { waiting }
    })
    expect(await other.waiting).toBe('booked')
    expect(await alone(claim())).toBe('insufficient_funds')
  })

  it('a single booking and a call of many that open the same account never wait for each other', async () => {
    const owner = randomUUID()
    const fund = house('staking_rewards')
    await post(db(), booking([{ source: house('chain'), destination: fund, currency: 'CPC', amount: 10n }]))
    const reward = () => booking([{ source: fund, destination: customerAccount(owner, 'reward'), currency: 'CPC', amount: 2n }])
    const other = await db().transaction(async (tx) => {
      await lockedFund(tx, 'CPC')
      const waiting = postMany(db(), [reward()])
      await untilWaiting(db())
      await post(tx, reward())
      return { waiting }
    })
    expect((await other.waiting).map(wordOf)).toEqual(['booked'])
    expect((await linesOf(owner)).at(-1)).toMatchObject({ balance: '4' })
  })

  it('two calls with the same accounts in opposite order never wait for each other', async () => {
    const owners = await ownersOf(8)
    const list = () => owners.map((owner, index) => move(owner, owners[(index + 1) % owners.length] ?? '', 1n))
    const told = new Set<string>()
    for (let round = 0; round < 30; round += 1)
      for (const made of await Promise.all([postMany(db(), list()), postMany(db(), list().reverse())]))
        for (const outcome of made) told.add(wordOf(outcome))
    expect([...told].filter((word) => word !== 'busy')).toEqual(['booked'])
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('a reference that two calls book at once is booked by one', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [one = '', other = ''] = [randomUUID(), randomUUID()]
      const reference = randomUUID()
      const book = (owner: string) =>
        tryAgain(async () => wordOf((await postMany(db(), [booking(give(owner, 3n).transfers, reference)]))[0] as Outcome))
      const told = await Promise.all([book(one), book(other), alone(booking(give(one, 3n).transfers, reference))])
      expect(told.filter((word) => word === 'booked')).toHaveLength(1)
    }
  })

  it('loses and doubles nothing beside single calls', async () => {
    const owners = await ownersOf(6)
    const any = () => owners[Math.floor(Math.random() * owners.length)] ?? ''
    const pair = (): [string, string] => {
      const from = any()
      return [from, owners.find((owner) => owner !== from && Math.random() < 0.5) ?? owners.find((owner) => owner !== from) ?? '']
    }
    let booked = 0
    const many = async () => {
      for (let round = 0; round < 12; round += 1) {
        const list = Array.from({ length: 20 }, () => move(...pair(), BigInt(Math.ceil(Math.random() * 300))))
        const made = await postMany(db(), list)
        booked += made.filter(({ id }) => id !== undefined).length
      }
    }
    const single = async () => {
      for (let round = 0; round < 60; round += 1) {
        const told = await alone(move(...pair(), BigInt(Math.ceil(Math.random() * 300))))
        if (told === 'booked') booked += 1
      }
    }
    await Promise.all([many(), many(), single(), single(), single()])
    const lines = (await Promise.all(owners.map((owner) => linesOf(owner)))).flat() as { isOut: boolean; balance: string }[]
    expect(lines.filter(({ isOut }) => isOut)).toHaveLength(booked)
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})
