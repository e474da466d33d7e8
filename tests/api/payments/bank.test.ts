import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { customerAccount, house, houseBalance } from '#lib/server/ledger/index.ts'
import { folderBank } from '#lib/server/payments/adapters/folder.ts'
import type { Bank } from '#lib/server/payments/port.ts'
import { readBank } from '#lib/server/payments/read.ts'
import { bankStatements, payments } from '#lib/server/payments/schema.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { balance, camt, ntry, OUR_IBAN } from '#support/camt.ts'
import { hooks } from '#support/hooks.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
let folder: string
let said: unknown[]
let warned: unknown[]
let bank: Bank
beforeEach(async () => {
  test = await createTestApp()
  customer = await test.customer()
  folder = await mkdtemp(join(tmpdir(), 'wallet-bank-'))
  said = []
  warned = []
  bank = bankOf(0)
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

const log = {
  info: () => undefined,
  warn: (...args: unknown[]) => warned.push(args),
  debug: () => undefined,
  error: (...args: unknown[]) => said.push(args)
}
const bankOf = (settledMs: number) =>
  folderBank({ ...test.app.ports.bank.details, euroIban: OUR_IBAN }, folder, log as never, { settledMs })
const read = (from = bank) => {
  const { context, ports } = test.app
  return readBank({ ...context, log: log as never }, from, { rates: ports.rates, ...hooks })
}
const put = (name: string, xml: string) => writeFile(join(folder, name), xml)
const files = async (inner: string) => (await readdir(join(folder, inner))).filter((name) => name.endsWith('.xml'))
const rows = () => test.app.context.db.select().from(payments).orderBy(payments.id)
const outcomes = async () => (await rows()).map(({ outcome }) => outcome)

async function order(): Promise<{ id: string; euroToPay: string }> {
  const body = { comboConfigId: 19, bankAccountId: 1 }
  return (await test.send('POST', '/orders/combo', { token: customer.token, body })).body.data
}
const statusOf = async (id: string) => (await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data.status

describe('the bank’s folder', () => {
  it('is read once, under a name of its own, and nothing in `processed/` is overwritten', async () => {
    const { id, euroToPay } = await order()
    await put('day.xml', camt([ntry({ ref: 'A', amount: euroToPay, text: id })]))
    await read()
    expect(await statusOf(id)).toBe(2)
    await put('day.xml', camt([ntry({ ref: 'B', amount: '1.00' })], { id: 'S-2' }))
    await read()
    expect(await files('processed')).toHaveLength(2)
    expect(await files('.')).toEqual([])
    expect(await outcomes()).toEqual(['matched', 'unknown_reference'])
  })

  it('leaves a file alone that changed a moment ago', async () => {
    const patient = bankOf(60_000)
    await put('day.xml', camt([ntry({ ref: 'A' })]))
    await read(patient)
    expect(await files('.')).toEqual(['day.xml'])
    const longAgo = new Date(Date.now() - 120_000)
    await utimes(join(folder, 'day.xml'), longAgo, longAgo)
    await read(patient)
    expect(await outcomes()).toEqual(['unknown_reference'])
  })

  it('receives nothing of a file that breaks off, and all of it when it is whole', async () => {
    const { id, euroToPay } = await order()
    const whole = camt([ntry({ ref: 'A', amount: '1.00' }), ntry({ ref: 'B', amount: euroToPay, text: id })])
    await put('day.xml', whole.slice(0, -40))
    await read()
    await read()
    expect(await outcomes()).toEqual([])
    const [name = ''] = await files('working')
    expect(await readFile(join(folder, 'working', `${name}.why.txt`), 'utf8')).toContain('not well-formed')
    expect(said).toHaveLength(1)
    await writeFile(join(folder, 'working', name), whole)
    await read()
    expect(await outcomes()).toEqual(['unknown_reference', 'matched'])
    expect(await files('working')).toEqual([])
  })

  it('receives the good entries of a file, keeps it, and says why', async () => {
    await put('day.xml', camt([ntry({ ref: 'A' }), ntry({ ref: 'B', amount: '1,00' }), ntry({ ref: 'C' })]))
    await read()
    await read()
    expect((await rows()).map(({ bankEntryId }) => bankEntryId)).toEqual(['A', 'C'])
    const [name = ''] = await files('working')
    expect(await readFile(join(folder, 'working', `${name}.why.txt`), 'utf8')).toBe(
      'An entry has an amount with a comma: "1,00"\n'
    )
  })

  it('keeps a file of another account and says whose it is', async () => {
    await put('day.xml', camt([ntry({ ref: 'A' })], { iban: 'AT61 1904 3002 3457 3201' }))
    await read()
    expect(await outcomes()).toEqual([])
    expect(JSON.stringify(said)).toContain('AT611904300234573201')
  })

  it('is read by two processes at once without harm', async () => {
    for (let day = 1; day <= 5; day += 1) await put(`day${day}.xml`, camt([ntry({ ref: `D${day}` })], { id: `S-${day}` }))
    await Promise.all([read(), read(bankOf(0)), read(bankOf(0))])
    expect((await rows()).map(({ bankEntryId }) => bankEntryId).sort()).toEqual(['D1', 'D2', 'D3', 'D4', 'D5'])
    expect(said).toEqual([])
  })

  it('refuses a file that is larger than any statement', async () => {
    await put('huge.xml', ' '.repeat(20 * 1024 * 1024 + 1))
    await read()
    expect(JSON.stringify(said)).toContain('more than 20 MiB')
  })

  it('takes a file that was replaced while it was read as another file', async () => {
    await put('day.xml', camt([ntry({ ref: 'A' })]))
    const [batch] = await bank.entriesSince(undefined)
    await put('next.xml', camt([ntry({ ref: 'B' })], { id: 'S-2' }))
    await rename(join(folder, 'next.xml'), join(folder, 'day.xml'))
    await batch?.settle([])
    await read()
    expect((await rows()).map(({ bankEntryId }) => bankEntryId)).toEqual(['B'])
    expect(await files('processed')).toHaveLength(2)
  })
})

describe('an entry', () => {
  it('without a reference of its own books once when its file comes twice, and twice when there are two', async () => {
    const { id, euroToPay } = await order()
    const twice = camt([
      ntry({ ref: 'NONREF', amount: euroToPay, text: id }),
      ntry({ ref: 'NONREF', amount: '5.00', text: 'a' }),
      ntry({ ref: 'NONREF', amount: '5.00', text: 'a' })
    ])
    await put('one.xml', twice)
    await read()
    await put('again.xml', twice)
    await read()
    expect(await outcomes()).toEqual(['matched', 'unknown_reference', 'unknown_reference'])
  })

  it.each([
    ['amount', { amount: '2.00' }],
    ['text', { text: 'something else' }],
    ['booking date', { bookedOn: '2026-11-20' }]
  ])('whose reference comes again with another %s is kept too, and raises an alarm', async (_, change) => {
    await put('one.xml', camt([ntry({ ref: 'A', amount: '1.00', text: 'x' })]))
    await read()
    const again = camt([ntry({ ref: 'A', amount: '1.00', text: 'x', ...change })], { id: 'S-2' })
    await put('two.xml', again)
    await read()
    await put('three.xml', again)
    await read()
    expect(await outcomes()).toEqual(['unknown_reference', 'entry_changed'])
    expect(JSON.stringify(said)).toContain('a bank entry needs an operator')
  })

  it.each([
    [
      'of one entry',
      (texts: string[]) => {
        const part = (text: string) =>
          `<TxDtls><Amt Ccy="EUR">${text.length}.00</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
        const amount = `${texts.join('').length}.00`
        return [ntry({ ref: 'BATCH-7', amount, inner: `<NtryDtls>${texts.map(part).join('')}</NtryDtls>` })]
      }
    ],
    ['that share a reference', (texts: string[]) => texts.map((text) => ntry({ ref: 'X', amount: `${text.length}.00`, text }))]
  ])('is known in any order of the parts or entries %s, and what has changed is seen', async (_, entriesOf) => {
    const deliver = async (texts: string[]) => {
      await put(`${texts.join()}.xml`, camt(entriesOf(texts)))
      await read()
    }
    await deliver(['a', 'bb', 'a'])
    await deliver(['bb', 'a', 'a'])
    await deliver(['a', 'a', 'bb'])
    expect((await rows()).map(({ outcome, remittance }) => [outcome, remittance])).toEqual([
      ['unknown_reference', 'a'],
      ['unknown_reference', 'bb'],
      ['unknown_reference', 'a']
    ])
    expect(said).toEqual([])
    // One of the two small ones has become as large as the other.
    await deliver(['bb', 'bb', 'a'])
    await deliver(['a', 'bb', 'bb'])
    expect((await rows()).slice(3).map(({ outcome, remittance }) => [outcome, remittance])).toEqual([['entry_changed', 'bb']])
  })

  it('is known in any order of parts of which one is outgoing, or has a reference of its own', async () => {
    const part = (amount: string, text: string, more = '') =>
      `<TxDtls>${more}<Amt Ccy="EUR">${amount}</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
    const out = part('1.00', 'fee', '<CdtDbtInd>DBIT</CdtDbtInd>')
    const named = part('3.00', 'named', '<Refs><AcctSvcrRef>OWN-1</AcctSvcrRef></Refs>')
    const entry = (ref: string, amount: string, parts: string[]) =>
      ntry({ ref, amount, inner: `<NtryDtls>${parts.join('')}</NtryDtls>` })
    const both = [
      camt([entry('B-1', '4.00', [part('5.00', 'in'), out]), entry('B-2', '7.00', [named, part('4.00', 'plain')])]),
      camt([entry('B-1', '4.00', [out, part('5.00', 'in')]), entry('B-2', '7.00', [part('4.00', 'plain'), named])])
    ]
    for (const [index, xml] of both.entries()) {
      await put(`${index}.xml`, xml)
      await read()
    }
    expect((await rows()).map(({ remittance }) => remittance).sort()).toEqual(['fee', 'in', 'named', 'plain'])
  })

  it('is judged by the bank’s booking day, not by the day on which the file is read', async () => {
    const { id, euroToPay } = await order()
    test.pass(9 * 86_400)
    await put('late.xml', camt([ntry({ ref: 'A', amount: euroToPay, text: id, bookedOn: '2026-11-28' })]))
    await read()
    expect(await outcomes()).toEqual(['matched'])
  })

  it('fixes the price of the day on which the bank booked it', async () => {
    const { id, euroToPay } = await order()
    const rates = await test.app.ports.rates.current()
    const at = (priceUsd: string) => ({
      ...rates,
      pricesUsd: { ...rates.pricesUsd, values: { ...rates.pricesUsd.values, CPC: priceUsd } }
    })
    await keepDailyRates(test.app.context, at('0.04'))
    await keepDailyRates(test.app.context, at('0.99'))
    test.pass(2 * 86_400)
    await put('day.xml', camt([ntry({ ref: 'A', amount: euroToPay, text: id, bookedOn: '2026-11-21' })]))
    await read()
    const done = (await test.send('POST', '/users/signin', { body: { email: customer.email, password: customer.password } })).body
      .data
    const { data } = (await test.send('GET', `/orders/combo/${id}`, { token: done.token })).body
    expect(data).toMatchObject({ cpcAverageWeightPrice: '0.04', cpcAmount: '2500000000000' })
  })

  it('that fits no order is booked while prices cannot be had', async () => {
    const own = await createTestApp({
      ports: (ports) => ({ ...ports, rates: { current: () => Promise.reject(new Error('nobody may ask for prices')) } })
    })
    expect((await own.arrive({ remittance: 'no reference' })).outcome).toBe('unknown_reference')
    await own.close()
  })
})

describe('many entries of one statement', () => {
  /** Orders of several customers, each with its payment; some payments fit no order, one comes twice. */
  async function made(app: TestApp) {
    const list: string[] = []
    for (let at = 0; at < 30; at += 1) {
      const body = { comboConfigId: at % 2 === 0 ? 19 : 20, bankAccountId: 1 }
      const { token } = await app.customer()
      const { id, euroToPay } = (await app.send('POST', '/orders/combo', { token, body })).body.data
      const amount = at % 7 === 3 ? '1.00' : euroToPay
      list.push(ntry({ ref: `M${at}`, amount, text: at % 5 === 4 ? 'no order' : id }))
      if (at === 8) list.push(ntry({ ref: 'again', amount, text: id }))
    }
    return list
  }
  const booksOf = async (app: TestApp) => {
    const sums = await app.app.context.db.execute(
      sql`select case when owner_id = '00000000-0000-0000-0000-000000000000' then kind else 'customers ' || kind end as who, currency, sum(balance)::text as sum
        from accounts group by 1, 2 having sum(balance) <> 0 order by 1, 2`
    )
    const found = await app.app.context.db.select({ outcome: payments.outcome }).from(payments).orderBy(payments.id)
    return { sums: rowsOf(sums), outcomes: found.map(({ outcome }) => outcome) }
  }

  it('are booked as each by itself would be, in few transactions of the database', async () => {
    const other = await createTestApp()
    const [together, alone] = [await made(test), await made(other)]
    await put('many.xml', camt(together))
    const before = await committed()
    await read()
    expect((await committed()) - before).toBeLessThan(together.length)
    for (const [at, entry] of alone.entries()) {
      await put(`${at}.xml`, camt([entry], { id: `S-${at}` }))
      await readBank({ ...other.app.context, log: log as never }, bank, { rates: other.app.ports.rates, ...hooks })
    }
    const books = await booksOf(test)
    expect(books).toEqual(await booksOf(other))
    expect(new Set(books.outcomes)).toEqual(new Set(['matched', 'amount_too_low', 'unknown_reference', 'order_already_paid']))
    expect(JSON.stringify(books.sums)).toContain('owed')
    expect((await other.verifyLedger()).problems).toEqual([])
    await other.close()
  })

  /** How many different transactions of the database have stored payments. */
  const committed = async () =>
    Number(
      rowsOf<{ count: string }>(
        await test.app.context.db.execute(sql`select count(distinct xmin::text)::text as count from payments`)
      )[0]?.count
    )

  it('are all received where one customer’s account is locked meanwhile', async () => {
    const entries = await made(test)
    await test.adjust([
      { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'CPC', amount: 1n }
    ])
    const { id, euroToPay } = await order()
    await put('many.xml', camt([ntry({ ref: 'L', amount: euroToPay, text: id }), ...entries]))
    const locked = test.app.context.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from accounts where owner_id = ${customer.userId} for update`)
      await expect.poll(() => JSON.stringify(warned)).toContain('one by one')
    })
    await Promise.all([locked, read()])
    expect(await statusOf(id)).toBe(ORDER_STATUS.completed)
    expect((await outcomes()).filter((outcome) => outcome === 'matched').length).toBeGreaterThan(15)
    expect(said).toEqual([])
  })

  it('are received one by one where an order is locked: its customer waits, and no other', async () => {
    const other = await test.customer()
    const { id, euroToPay } = await order()
    const body = { comboConfigId: 19, bankAccountId: 1 }
    const first = (await test.send('POST', '/orders/combo', { token: other.token, body })).body.data
    await put(
      'two.xml',
      camt([ntry({ ref: 'F', amount: first.euroToPay, text: first.id }), ntry({ ref: 'L', amount: euroToPay, text: id })])
    )
    let isReleased = false
    const locked = test.app.context.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from orders where id = ${id} for update`)
      const received = async () => (await rows()).map(({ bankEntryId }) => bankEntryId)
      await expect.poll(received, { timeout: 3000, message: 'the first is received while the second waits' }).toEqual(['F'])
      isReleased = true
    })
    await Promise.all([locked, read()])
    expect(isReleased).toBe(true)
    expect(await outcomes()).toEqual(['matched', 'matched'])
  })

  it('are received without the one that cannot be: it is named, and comes again', async () => {
    const entries = await made(test)
    const { id, euroToPay } = await order()
    await put('many.xml', camt([...entries.slice(0, 5), ntry({ ref: 'BAD', amount: euroToPay, text: id }), ...entries.slice(5)]))
    let isBroken = true
    const { context, ports } = test.app
    const failing = {
      rates: ports.rates,
      ...hooks,
      onOrderCompleted: async (_: unknown, __: unknown, row: { id: string }) => {
        if (isBroken && row.id === id) throw new Error('a fault')
        return []
      }
    }
    await readBank({ ...context, log: log as never }, bank, failing)
    expect((await rows()).map(({ bankEntryId }) => bankEntryId)).toHaveLength(entries.length)
    expect(JSON.stringify(said)).toContain('BAD')
    const [name = ''] = await files('working')
    expect(await readFile(join(folder, 'working', `${name}.why.txt`), 'utf8')).toContain('Entry BAD was not received')
    isBroken = false
    await rename(join(folder, 'working', name), join(folder, 'again.xml'))
    await readBank({ ...context, log: log as never }, bank, failing)
    expect((await rows()).map(({ bankEntryId }) => bankEntryId)).toHaveLength(entries.length + 1)
    expect(await statusOf(id)).toBe(ORDER_STATUS.completed)
  })
})

describe('money that goes', () => {
  it('is booked, and the books say what the bank says', async () => {
    const { id, euroToPay } = await order()
    const balances = balance('OPBD', '500.00') + balance('CLBD', (500 + Number(euroToPay) - 12.5).toFixed(2))
    await put(
      'day.xml',
      camt([ntry({ ref: 'A', amount: euroToPay, text: id }), ntry({ ref: 'F', amount: '12.50', direction: 'DBIT' })], {
        balances
      })
    )
    await read()
    expect(await outcomes()).toEqual(['matched', 'debit'])
    expect(said).toEqual([])
    const [statement] = await test.app.context.db.select().from(bankStatements)
    expect(statement?.bookedCents).toBe(statement?.closingCents)
    expect(-(await houseBalance(test.app.context.db, 'bank', 'EUR'))).toBe(statement?.closingCents)
  })

  it('books an opening balance once, with the first statement', async () => {
    const day = (n: number, opening: string) =>
      camt([ntry({ ref: `E${n}`, amount: '1.00' })], { id: `S-${n}`, balances: balance('OPBD', opening) })
    await put('1.xml', day(1, '100.00'))
    await read()
    await put('2.xml', day(2, '777.00'))
    await read()
    expect(-(await houseBalance(test.app.context.db, 'bank', 'EUR'))).toBe(10_200n)
  })

  it('that a statement leaves out keeps its file and says what is missing', async () => {
    const balances = balance('OPBD', '0.00') + balance('CLBD', '9.00')
    await put('day.xml', camt([ntry({ ref: 'A', amount: '1.00' })], { balances }))
    await read()
    expect(await outcomes()).toEqual(['unknown_reference'])
    expect(JSON.stringify(said)).toContain('opening balance and entries make 100 cents, its closing balance is 900')
    expect(await files('working')).toHaveLength(1)
  })

  it('on a day whose statement never came raises an alarm', async () => {
    const day = (n: number, opening: string, closing: string) =>
      camt([ntry({ ref: `E${n}`, amount: '1.00' })], {
        id: `S-${n}`,
        balances: balance('OPBD', opening) + balance('CLBD', closing)
      })
    await put('1.xml', day(1, '0.00', '1.00'))
    await read()
    expect(said).toEqual([])
    await put('3.xml', day(3, '50.00', '51.00'))
    await read()
    expect(JSON.stringify(said)).toContain('the closing balance of the bank is not that of the books')
  })

  it('back to the payer of a wrong amount takes no payment back', async () => {
    const { id, euroToPay } = await order()
    const wrong = (Number(euroToPay) + 1).toFixed(2)
    await put('day.xml', camt([ntry({ ref: 'W', amount: wrong, text: id }), ntry({ ref: 'A', amount: euroToPay, text: id })]))
    await read()
    await put('back.xml', camt([ntry({ ref: 'R', amount: wrong, text: `REFUND ${id}`, direction: 'DBIT' })], { id: 'S-2' }))
    await read()
    expect(await outcomes()).toEqual(['amount_too_high', 'matched', 'debit'])
    const { withdrawals } = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
    expect(withdrawals.reason).not.toBe('held')
    expect(await houseBalance(test.app.context.db, 'suspense', 'EUR')).toBe(0n)
  })

  it('that is taken back before the payment itself was read holds the withdrawals too', async () => {
    const { id, euroToPay } = await order()
    await put('back.xml', camt([ntry({ ref: 'R', amount: euroToPay, text: `RETURN ${id}`, direction: 'DBIT' })]))
    await read()
    await put('day.xml', camt([ntry({ ref: 'A', amount: euroToPay, text: id })], { id: 'S-2' }))
    await read()
    expect(await outcomes()).toEqual(['returned', 'matched'])
    const { withdrawals } = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
    expect(withdrawals.reason).toBe('held')
  })

  it('received by version 0.1.0 is not booked again', async () => {
    const { id, euroToPay } = await order()
    const batch = [ntry({ ref: 'NONREF', amount: euroToPay, text: id })]
    await test.app.context.db.insert(payments).values({
      bankEntryId: 'NONREF',
      amountCents: BigInt(Math.round(Number(euroToPay) * 100)),
      currency: 'EUR',
      remittance: id,
      payerName: '',
      payerIban: '',
      bookedOn: '2026-11-22',
      valueOn: '2026-11-22',
      outcome: 'unknown_reference',
      isLegacy: true,
      receivedAt: test.app.context.clock()
    })
    await put('day.xml', camt(batch))
    await read()
    expect(await outcomes()).toEqual(['unknown_reference'])
    // The bank writes NONREF into every payment, so a later booking date means another payment: it counts.
    const later = ntry({ ref: 'NONREF', amount: euroToPay, text: id, bookedOn: '2026-11-23' })
    await put('later.xml', camt([later], { id: 'S-2' }))
    await put('other.xml', camt([ntry({ ref: 'NONREF', amount: '7.00', text: 'x' })], { id: 'S-3' }))
    await read()
    expect((await outcomes()).sort()).toEqual(['matched', 'unknown_reference', 'unknown_reference'])
    expect(await statusOf(id)).toBe(2)
    await test.app.context.db.execute('alter table payments disable trigger payments_kept')
    await test.app.context.db.execute('delete from bank_file_entries')
    await test.app.context.db.delete(payments).where(eq(payments.isLegacy, true))
    // Its amount is the order's, in the sum of the day too.
    await test.app.context.db.execute(
      sql`update bank_day_sums set in_cents = in_cents - ${Math.round(Number(euroToPay) * 100)} where day = '2026-11-22'`
    )
    await test.app.context.db.execute('delete from bank_day_sums where in_cents = 0 and out_cents = 0')
    await test.app.context.db.execute('alter table payments enable trigger payments_kept')
  })

  it.each([
    ['by its own reference', (id: string) => ({ ref: 'A', text: `return of ${id.slice(0, 3)}` })],
    ['by the reference of its order', (id: string) => ({ ref: 'R', text: `RETURN ${id}` })]
  ])('because a payment is taken back %s holds the withdrawals of a completed order', async (_, facts) => {
    const { id, euroToPay } = await order()
    await put('day.xml', camt([ntry({ ref: 'A', amount: euroToPay, text: id })]))
    await read()
    await put('back.xml', camt([ntry({ ...facts(id), amount: euroToPay, direction: 'DBIT' })], { id: 'S-2' }))
    await read()
    expect(await outcomes()).toEqual(['matched', 'returned'])
    const { withdrawals } = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
    expect(withdrawals).toEqual({ allowed: false, reason: 'held', until: null })
    expect((await test.mailsTo(customer.email)).map(({ subject }) => subject).join()).toContain('was reversed')
    expect(await houseBalance(test.app.context.db, 'bank', 'EUR')).toBe(0n)
    expect(await test.app.context.db.select().from(payments).where(eq(payments.outcome, 'returned'))).toHaveLength(1)
  })
})
