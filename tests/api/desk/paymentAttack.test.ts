/** Attacks on the desk's payments: clerks who want to steal, payers who write what they like, banks that deliver oddly. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { houseBalance } from '#lib/server/ledger/index.ts'
import type { BankEntry } from '#lib/server/payments/index.ts'
import { carryOut, readAll, staffCustomer } from '#support/bankDesk.ts'
import { camt, type NtryFacts, ntry } from '#support/camt.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const why = 'Looked at it twice'
const IBAN = 'AT611904300234573201'
const OTHER = 'DE75512108001245126199'
let test: TestApp
let desk: ReturnType<typeof deskOf>
let finn: Member
let fay: Member
let cora: Member
let sue: Member
let customer: Customer
/** Finn is a customer, too. */
let finns: Customer

beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  const admins = await desk.admins()
  finn = await desk.member(admins, 'Finn', ['finance'])
  fay = await desk.member(admins, 'Fay', ['finance'])
  cora = await desk.member(admins, 'Cora', ['compliance'])
  sue = await desk.member(admins, 'Sue', ['support'])
  finns = await staffCustomer(test, finn)
})
beforeEach(async () => {
  for (const one of [finn, fay, cora, sue]) await desk.signIn(one)
  customer = await test.customer()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

async function order(of = customer): Promise<{ id: string; cents: bigint }> {
  const body = { comboConfigId: 19, bankAccountId: 1 }
  const { data } = (await test.send('POST', '/orders/combo', { token: of.token, body })).body
  return { id: data.id, cents: BigInt(data.euroToPay.replace('.', '')) }
}
const statusOf = async (id: string, of = customer) =>
  (await test.send('GET', `/orders/combo/${id}`, { token: of.token })).body.data.status
const arrive = (entry: Partial<BankEntry>) => test.arrive({ payerName: 'LOVELACE ADA', payerIban: IBAN, ...entry })
const params = ({ id }: { id: bigint | string }) => ({ id: String(id) })
const shown = async (payment: { id: bigint }) => (await sue.call('getPayment', { params: params(payment) })).body.data
const approve = (by: Member, id: string) => by.call('approveProposal', { params: { id }, body: { why } })
async function refunded(payment: { id: bigint }): Promise<void> {
  const { proposalId } = (await finn.call('proposeRefund', { params: params(payment), body: { why } })).body.data
  expect((await approve(cora, proposalId)).status).toBe(200)
  await carryOut(test)
}
async function splitted(over: bigint): Promise<{ id: bigint; amountCents: bigint; orderId: string }> {
  const { id, cents } = await order()
  const payment = await arrive({ amountCents: cents + over, remittance: id })
  const { proposalId } = (await finn.call('proposeAssignment', { params: params(payment), body: { orderId: id, why } })).body.data
  expect((await approve(fay, proposalId)).status).toBe(200)
  await carryOut(test)
  return { id: payment.id, amountCents: cents + over, orderId: id }
}
const files = async () => (await finn.call('getRefunds')).body.data.files
const make = async () => {
  const made = await finn.call('makeRefundFile')
  return made.status === 200 ? (await files())[0] : undefined
}
const download = (file: { id: string }) => finn.call('downloadRefundFile', { params: params(file) })
const send = (file: { id: string }) => fay.call('sendRefundFile', { params: params(file) })
const suspense = () => houseBalance(test.app.context.db, 'suspense', 'EUR')

describe('an upload', () => {
  const upload = (content: string, by = finn, name = 'day.xml') => by.call('uploadStatement', { body: { name, content } })
  const newest = async () => (await finn.call('listBankFiles')).body.data[0]
  const accept = async (by: Member) => {
    const params = { id: (await newest()).id }
    const { preview } = (await finn.call('getBankFile', { params })).body.data
    return by.call('acceptStatement', { params, body: { why, digest: preview?.digest ?? '' } })
  }
  const entries = (facts: NtryFacts[], id: string) =>
    camt(
      facts.map((one) => ntry(one)),
      { id }
    )

  it('of one clerk is read by nobody until another person has accepted it; the clerk cannot', async () => {
    const { id, cents } = await order()
    await upload(entries([{ ref: 'A-1', amount: `${cents / 100n}.80`, text: id }], 'A1'))
    await readAll(test)
    expect(await statusOf(id)).toBe(0)
    const { preview } = (await cora.call('getBankFile', { params: { id: (await newest()).id } })).body.data
    expect(preview).toMatchObject({ entries: 1, shown: [{ direction: 'credit', orderId: id }], problems: [] })
    expect((await accept(finn)).body.code).toBe('file_not_to_accept')
    expect((await accept(sue)).body.code).toBe('right_missing')
    expect((await accept(cora)).status).toBe(200)
    expect((await accept(fay)).body.code).toBe('file_not_to_accept')
    await readAll(test)
    expect(await statusOf(id)).toBe(2)
    const { rows } = (await test.app.context.db.execute(sql`select content from bank_files`)) as unknown as {
      rows: { content: string | null }[]
    }
    expect(rows.every(({ content }) => content === null)).toBe(true)
  })

  it('that names an order of who uploads it is accepted by nobody', async () => {
    const mine = finns
    const { id } = await order(mine)
    await upload(entries([{ ref: 'A-2', amount: '956.80', text: id }], 'A2'))
    expect((await accept(cora)).body.code).toBe('own_account')
    const { proposalId } = (await finn.call('proposeCloseBankFile', { params: { id: (await newest()).id }, body: { why } })).body
      .data
    expect((await approve(cora, proposalId)).status).toBe(200)
    await readAll(test)
    expect(await statusOf(id, mine)).toBe(0)
    // Given up, the same content may be brought again.
    expect((await upload(entries([{ ref: 'A-2', amount: '956.80', text: id }], 'A2'), fay)).status).toBe(200)
    await fay
      .call('proposeCloseBankFile', { params: { id: (await newest()).id }, body: { why } })
      .then(({ body }) => approve(cora, body.data.proposalId))
    expect(await newest()).toMatchObject({ closedAt: expect.any(String), receivedAt: null })
  })

  it('with a day that does not exist says so, and stops the reading of no other', async () => {
    const bad = entries([{ ref: 'B-1', amount: '1.00', bookedOn: '2026-02-30' }], 'B1')
    await upload(bad, finn, 'bad.xml')
    await accept(cora)
    const { id } = await order()
    await upload(entries([{ ref: 'B-2', amount: '956.80', text: id }], 'B2'), finn, 'good.xml')
    await accept(cora)
    await readAll(test)
    expect(await statusOf(id)).toBe(2)
    const list = (await finn.call('listBankFiles')).body.data
    expect(list.find(({ name }: { name: string }) => name === 'bad.xml').problems[0]).toContain('no booking date')
    expect(list.find(({ name }: { name: string }) => name === 'good.xml').problems).toEqual([])
  })

  it('that spells the text of a known entry otherwise books it once', async () => {
    const before = await suspense()
    for (const [name, text] of [
      ['one', 'invoice 1'],
      ['two', 'INVOICE  1']
    ] as const) {
      await upload(entries([{ ref: 'C-1', amount: '10.00', text }], `C-${name}`))
      await accept(cora)
    }
    await readAll(test)
    expect(await suspense()).toBe(before + 1_000n)
  })
})

describe('a refund', () => {
  it('of a surplus is void once the bank takes the whole payment back', async () => {
    const payment = await splitted(50_000n)
    expect(
      (await arrive({ direction: 'debit', amountCents: payment.amountCents, remittance: `RETURN ${payment.orderId}` })).outcome
    ).toBe('returned')
    expect(await make()).toBeUndefined()
  })

  it('that was paid by hand after its file was made stops the file, which is given up by two; the others come into a new one', async () => {
    const [paid, other] = [
      await arrive({ amountCents: 30_000n, remittance: 'x' }),
      await arrive({ amountCents: 40_000n, remittance: 'y', payerIban: OTHER })
    ]
    await refunded(paid)
    await refunded(other)
    const file = await make()
    expect(file).toMatchObject({ transfers: 2, wrong: 0 })
    expect((await arrive({ direction: 'debit', amountCents: 30_000n, remittance: 'by hand' })).outcome).toBe('refund')
    expect((await files())[0]).toMatchObject({ wrong: 0, confirmed: 1 })
    expect((await download(file)).body.code).toBe('file_outdated')
    expect((await send(file)).body.code).toBe('file_not_to_send')
    const { proposalId } = (await finn.call('proposeCancelRefundFile', { params: params(file), body: { why } })).body.data
    expect((await approve(finn, proposalId)).body.code).toBe('own_proposal')
    expect((await approve(fay, proposalId)).status).toBe(200)
    expect((await download(file)).body.code).toBe('file_downloaded')
    const next = await make()
    expect(next).toMatchObject({ transfers: 1, sumCents: '40000' })
    expect((await download(next)).body.data.content).toContain(OTHER)
    expect((await send(next)).status).toBe(200)
    expect((await finn.call('proposeCancelRefundFile', { params: params(next), body: { why } })).body.code).toBe(
      'file_not_to_send'
    )
    expect((await finn.call('proposeRefundFileAgain', { params: params(next), body: { why } })).body.code).toBe(
      'file_not_to_send'
    )
  })

  it('is stopped by a recall, and an accepted recall leaves only the account that it came from', async () => {
    const payment = await arrive({ amountCents: 66_600n, remittance: 'z' })
    await refunded(payment)
    const recall = (of: { id: bigint }) =>
      cora.call('openRecall', { params: params(of), body: { reason: 'FRAD', bankCase: 'C-1', why } })
    const answer = (of: { id: bigint }, said: string) =>
      cora.call('answerRecall', { params: params(of), body: { answer: said, why } })
    expect((await recall(payment)).status).toBe(200)
    expect(await make()).toBeUndefined()
    expect((await answer(payment, 'accepted')).status).toBe(200)
    const file = await make()
    expect(file).toMatchObject({ sumCents: '66600' })
    await recall(payment)
    expect((await download(file)).body.code).toBe('file_outdated')
    await answer(payment, 'accepted')
    expect((await download(file)).status).toBe(200)
    expect((await send(file)).status).toBe(200)
    const { id, cents } = await order()
    const promised = await arrive({ amountCents: cents, remittance: 'tokens' })
    await recall(promised)
    await answer(promised, 'accepted')
    const assigned = await finn.call('assignPayment', { params: params(promised), body: { orderId: id, why } })
    expect(assigned.body).toMatchObject({ code: 'payment_refused', message: expect.stringContaining('was told that it gets') })
    const body = { name: 'Ada', iban: OTHER, document: 'Letter 1', why }
    expect((await finn.call('proposeRefundElsewhere', { params: params(promised), body })).body.message).toContain('was told')
    await refunded(promised)
  })

  it('is not marked as returned by a stranger’s cent, and money that comes back pays no order', async () => {
    const payment = await arrive({ amountCents: 95_680n, remittance: 'q' })
    await refunded(payment)
    const file = await make()
    await download(file)
    await send(file)
    const { endToEndId } = (await shown(payment)).refund
    expect(endToEndId).toMatch(/^REFUND\d+X\w{8,}$/)
    await arrive({ amountCents: 1n, remittance: 'x', endToEndId })
    expect((await shown(payment)).refund.state).toBe('sent')
    const { id } = await order()
    await arrive({ amountCents: 95_680n, remittance: id, endToEndId })
    expect(await statusOf(id)).toBe(0)
    expect((await shown(payment)).refund.state).toBe('returned')
    const again = await arrive({ amountCents: 95_680n, remittance: id, endToEndId })
    expect([again.outcome, await statusOf(id)]).toEqual(['unknown_reference', 0])
  })

  it('that came back goes to another account alone, and its own payer decides nothing', async () => {
    const mine = await staffCustomer(test, fay)
    const { id, cents } = await order(mine)
    const payment = await arrive({ amountCents: cents - 100_00n, remittance: id })
    await refunded(payment)
    const file = await make()
    await download(file)
    const { endToEndId } = (await shown(payment)).refund
    const back = await arrive({ amountCents: cents - 100_00n, remittance: 'RETURN', endToEndId })
    expect((await finn.call('proposeRefund', { params: params(back), body: { why } })).body.message).toContain(
      'name another account'
    )
    const body = { name: 'Fay', iban: OTHER, document: 'Letter 2', why }
    expect((await fay.call('proposeRefundElsewhere', { params: params(back), body })).body.code).toBe('own_account')
    const { proposalId } = (await finn.call('proposeRefundElsewhere', { params: params(back), body })).body.data
    const { entries } = (await cora.call('listAudit')).body.data
    // Who reads the log need not know the account.
    expect(JSON.stringify(entries[0].details)).not.toContain(OTHER)
    expect((await approve(cora, proposalId)).status).toBe(200)
    await carryOut(test)
    expect((await shown(back)).refund.state).toBe('approved')
    const told = (await test.mailsTo(mine.email)).map(({ text }) => text).join('\n')
    expect(told).toContain('is going back to the account it came from')
    expect(told).toContain(`for order ${id} is going back to the account that you named`)
    await make()
  })

  it('elsewhere that was decided before a recall does not go out once the recall is accepted, and the promise holds for what comes back', async () => {
    const payment = await arrive({ amountCents: 8_800n, remittance: 'v' })
    const body = { name: 'Ada', iban: OTHER, document: 'Letter 9', why }
    const { proposalId } = (await finn.call('proposeRefundElsewhere', { params: params(payment), body })).body.data
    await approve(cora, proposalId)
    await carryOut(test)
    const recall = (of: { id: bigint }) =>
      cora.call('openRecall', { params: params(of), body: { reason: 'FRAD', bankCase: 'C-1', why } })
    const accept = (of: { id: bigint }) => cora.call('answerRecall', { params: params(of), body: { answer: 'accepted', why } })
    await recall(payment)
    expect((await accept(payment)).status).toBe(200)
    expect(await make()).toBeUndefined()
    // Another one goes back to its origin, is refused there, and stays promised.
    const second = await arrive({ amountCents: 9_900n, remittance: 'u' })
    await recall(second)
    await accept(second)
    await refunded(second)
    const file = await make()
    await download(file)
    await send(file)
    const { endToEndId } = (await shown(second)).refund
    const back = await arrive({ amountCents: 9_900n, remittance: 'RETURN', endToEndId })
    expect((await finn.call('proposeRefundElsewhere', { params: params(back), body })).body.message).toContain('was told')
    await refunded(back)
    expect((await shown(back)).refund).toBeNull()
    // A payment that completed an order cannot be promised.
    const { id, cents } = await order()
    const paid = await arrive({ amountCents: cents, remittance: id })
    await recall(paid)
    expect((await accept(paid)).body.message).toContain('decided already')
  })

  it('whose file the bank has carried out cannot be given up, and the file is marked as sent', async () => {
    const [one, two] = [
      await arrive({ amountCents: 11_100n, remittance: 'l' }),
      await arrive({ amountCents: 22_200n, remittance: 'm', payerIban: OTHER })
    ]
    await refunded(one)
    await refunded(two)
    const file = await make()
    await download(file)
    const { endToEndId } = (await shown(one)).refund
    await arrive({ direction: 'debit', amountCents: 11_100n, remittance: 'out', endToEndId })
    expect((await finn.call('proposeCancelRefundFile', { params: params(file), body: { why } })).body.code).toBe(
      'file_not_to_send'
    )
    expect((await finn.call('proposeRefundFileAgain', { params: params(file), body: { why } })).body.code).toBe(
      'file_not_to_send'
    )
    expect((await send(file)).status).toBe(200)
    expect(await make()).toBeUndefined()
  })

  it('is confirmed by no stranger’s debit that names the order', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents - 33_300n, remittance: id })
    const waiting = await arrive({ amountCents: cents - 44_400n, remittance: id })
    await refunded(payment)
    const debit = (of: { amountCents: bigint }) =>
      test.arrive({
        direction: 'debit',
        amountCents: of.amountCents,
        payerIban: 'FR1420041010050500013M02606',
        payerName: 'Stranger',
        remittance: `direct debit ${id}`
      })
    expect((await debit(payment)).outcome).not.toBe('refund')
    expect((await shown(payment)).refund.state).toBe('approved')
    await debit(waiting)
    expect((await shown(waiting)).isWaiting).toBe(true)
    await make()
  })

  it('by hand settles the one that is in no file', async () => {
    const [inFile, byHand] = [
      await arrive({ amountCents: 30_300n, remittance: 'h' }),
      await arrive({ amountCents: 30_300n, remittance: 'i' })
    ]
    await refunded(inFile)
    await make()
    await refunded(byHand)
    expect((await arrive({ direction: 'debit', amountCents: 30_300n, remittance: 'by hand' })).outcome).toBe('refund')
    expect((await shown(byHand)).refund.state).toBe('confirmed')
    expect((await shown(inFile)).refund.state).toBe('in_file')
  })

  it('leaves the SEPA file where no bank of it takes the account', async () => {
    const payment = await arrive({ amountCents: 1_000n, remittance: 'w', payerIban: 'AE070331234567890123456' })
    expect((await shown(payment)).isByHand).toBe(true)
  })

  it('is told a second time by its name alone: the other payment of that account stays', async () => {
    const [first, second] = [
      await arrive({ amountCents: 12_300n, remittance: 'a' }),
      await arrive({ amountCents: 12_300n, remittance: 'b' })
    ]
    await refunded(first)
    const file = await make()
    await download(file)
    const { endToEndId } = (await shown(first)).refund
    const debit = (amountCents: bigint) =>
      arrive({ direction: 'debit', amountCents, remittance: 'out', ...(endToEndId && { endToEndId }) })
    expect((await debit(12_300n)).outcome).toBe('refund')
    expect((await debit(12_300n)).outcome).toBe('debit')
    expect((await shown(second)).isWaiting).toBe(true)
  })
})

describe('an assignment', () => {
  it('names no payment twice, in whichever spelling', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents / 2n, remittance: id })
    const propose = (also: string[]) =>
      finn.call('proposeAssignment', { params: params(payment), body: { orderId: id, also, why } })
    expect((await propose([String(payment.id)])).body.message).toContain('named twice')
    expect((await propose([`00${payment.id}`])).body.code).toBe('invalid_fields')
  })

  it('is not decided by whoever the payment is of, nor by one person where it names another order', async () => {
    const mine = finns
    const [own, foreign] = [await order(mine), await order()]
    const payment = await arrive({ amountCents: own.cents + 1n, remittance: own.id })
    for (const [name, body] of [
      ['proposeAssignment', { orderId: foreign.id, why }],
      ['openRecall', { reason: 'CUST', bankCase: '1', why }],
      ['leavePayment', { until: new Date(test.app.context.clock().getTime() + 2 * 86_400_000).toISOString().slice(0, 10), why }]
    ] as const)
      expect((await finn.call(name, { params: params(payment), body })).body.code, name).toBe('own_account')
    await cora.call('openRecall', { params: params(payment), body: { reason: 'CUST', bankCase: '1', why } })
    expect((await cora.call('answerRecall', { params: params(payment), body: { answer: 'refused', why } })).status).toBe(200)
    const exact = await arrive({ amountCents: foreign.cents, remittance: (await order(await test.customer())).id })
    await test.app.context.db.execute(sql`select 1`)
    if ((await shown(exact)).isWaiting)
      expect((await fay.call('assignPayment', { params: params(exact), body: { orderId: foreign.id, why } })).body.code).toBe(
        'second_person_needed'
      )
  })

  it('asks for the rest only in euro, of an open order, and of its own customer', async () => {
    const { id, cents } = await order()
    const until = new Date(test.app.context.clock().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
    const ask = (payment: { id: bigint }) =>
      finn.call('awaitTopUp', { params: params(payment), body: { orderId: id, until, why } })
    const refusedFor = async (entry: Partial<BankEntry>) => (await ask(await arrive({ remittance: 'x', ...entry }))).body.message
    expect(await refusedFor({ amountCents: cents })).toContain('not less')
    expect(await refusedFor({ amountCents: 100n, currency: 'USD' })).toContain('not in EUR')
    expect(await refusedFor({ amountCents: 100n, payerName: 'Hans Muster' })).toContain('Neither its reference')
    expect(await refusedFor({ amountCents: 100n, remittance: (await order(await test.customer())).id })).toContain(
      'Neither its reference'
    )
  })

  it('whose persons were stopped before it is carried out is refused, and one that cannot be holds up no other', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents, remittance: 'x' })
    const forged = (paymentId: bigint, by: string) =>
      test.app.context.db.execute(
        sql`insert into payment_instructions (kind, payment_ids, order_id, decided_by, approved_by, why, decided_at, state)
          values ('assign', array[${paymentId}]::bigint[], ${id}, 'staff:00000000-0000-4000-8000-000000000001', ${by}, 'x', ${test.app.context.clock().toISOString()}::timestamptz, 'waiting')`
      )
    await forged(payment.id, 'staff:00000000-0000-4000-8000-000000000002')
    await carryOut(test)
    expect(await statusOf(id)).toBe(0)
    await Promise.all([carryOut(test), carryOut(test)])
    expect((await finn.call('assignPayment', { params: params(payment), body: { orderId: id, why } })).status).toBe(200)
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
  })

  it('of a payment without an order is nobody’s whose own name or account it has', async () => {
    const payment = await arrive({ amountCents: 700n, remittance: 'oops', payerName: 'finn clerk' })
    expect((await finn.call('proposeRefund', { params: params(payment), body: { why } })).body.code).toBe('own_account')
    expect((await fay.call('proposeRefund', { params: params(payment), body: { why } })).status).toBe(200)
  })

  it('shows nothing of a text but what is near a reference', async () => {
    const payment = await arrive({ amountCents: 1n, remittance: `call 066412345678 or ${OTHER}` })
    expect((await shown(payment)).sentAs).toBeNull()
  })
})
