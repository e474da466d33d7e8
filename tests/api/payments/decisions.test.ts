/** Payments that do not fit their order: the customer gets a mail, and an operator assigns or refunds them. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { houseBalance } from '#lib/server/ledger/index.ts'
import { assignPayments, type DecisionRefused, refundPayment, undecidedPayments } from '#lib/server/payments/index.ts'
import { paymentDecisions, payments } from '#lib/server/payments/schema.ts'
import { hooks } from '#support/hooks.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

type Order = { id: string; euroToPay: string; cents: bigint }

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
})
beforeEach(async () => {
  customer = await test.customer()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

const OPERATOR = { kind: 'staff', id: 'anna' } as const
const IBAN = 'AT611904300234573201'

async function order(comboConfigId = 19): Promise<Order> {
  const body = { comboConfigId, bankAccountId: 1 }
  const { data } = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body
  return { ...data, cents: BigInt(data.euroToPay.replace('.', '')) }
}
const read = async (id: string) => (await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data
const house = (kind: 'suspense' | 'refunds' | 'bank' | 'treasury' | 'fees') => houseBalance(test.app.context.db, kind, 'EUR')
const spot = async () => (await test.send('GET', '/users/balance', { token: customer.token })).body.data.CPC.wallet.spotBalance
const assign = (paymentId: bigint, orderId: string) =>
  assignPayments(
    test.app.context,
    { rates: test.app.ports.rates, ...hooks },
    { paymentIds: [paymentId], orderId, actor: OPERATOR, why: 'Typing error' }
  )
const refund = (paymentId: bigint) => refundPayment(test.app.context, { paymentId, actor: OPERATOR, why: 'You asked for it' })
const refusal = (deciding: Promise<unknown>) =>
  deciding.then(
    () => undefined,
    (error: DecisionRefused) => error.reason
  )

describe('a payment that does not fit', () => {
  it.each([
    ['one cent short', -1n, 'amount_too_low'],
    ['one cent too much', 1n, 'amount_too_high']
  ])('because it is %s is told at the order, by mail and as a notice', async (_, difference, reason) => {
    const { id, cents } = await order()
    await test.arrive({ amountCents: cents + difference, remittance: id })
    const shown = await read(id)
    expect(shown).toMatchObject({
      status: 0,
      unfitPayment: { reason, amountCents: (cents + difference).toString(), currency: 'EUR' }
    })
    expect(Date.parse(shown.unfitPayment.decideBy) - Date.parse(shown.unfitPayment.receivedAt)).toBe(48 * 3_600_000)
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.subject).toMatch(/^We received €956\.(79|81), but expected €956\.80/)
    expect(mail?.text).toContain('Please do not send it again')
    const { notices } = (await test.send('GET', '/users/notices', { token: customer.token })).body.data
    expect(notices[0]).toMatchObject({ group: 'payments', href: `/package-history?tab=order&order=${id}`, isSeen: false })
    const { lines } = (await test.send('GET', '/users/activity?kind=payment', { token: customer.token })).body.data
    expect(lines).toMatchObject([
      { name: 'unfit_payment', orderId: id, currency: 'EUR', amount: (cents + difference).toString() }
    ])
  })

  it('is told once, however often the bank tells it', async () => {
    const { id, cents } = await order()
    const entry = { entryId: 'told-twice', amountCents: cents - 1n, remittance: id }
    await test.arrive(entry)
    await test.arrive(entry)
    expect((await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('We received'))).toHaveLength(1)
  })

  it('brings back an order that was cancelled or is too old for the list', async () => {
    const { id, cents } = await order()
    await test.send('POST', `/orders/combo/${id}/cancel`, { token: customer.token, body: {} })
    test.pass(25 * 3600)
    const listed = async () => (await test.ask(customer, 'listOrders')).total
    expect(await listed()).toBe(0)
    await test.arrive({ amountCents: cents - 1n, remittance: id })
    expect(await listed()).toBe(1)
  })
})

describe('assigned by an operator', () => {
  it('a payment that is one cent short completes the order, with who and why, and everything that follows', async () => {
    const { id, cents } = await order()
    const [treasury, fees, suspense] = [await house('treasury'), await house('fees'), await house('suspense')]
    const payment = await test.arrive({ amountCents: cents - 1n, remittance: id })
    expect(await house('suspense')).toBe(suspense + cents - 1n)
    await assign(payment.id, id)
    expect(await read(id)).toMatchObject({ status: 2, unfitPayment: null })
    expect(await spot()).toBe('2000000000000')
    expect(await house('suspense')).toBe(suspense)
    expect((await house('treasury')) + (await house('fees')) - treasury - fees).toBe(cents - 1n)
    const [decision] = await test.app.context.db.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, payment.id))
    expect(decision).toMatchObject({ decision: 'assigned', orderId: id, actor: 'staff:anna', why: 'Typing error' })
    expect((await test.mailsTo(customer.email))[0]?.subject).toContain('is completed')
  })

  it('a surplus is owed back to the payer, until the bank shows the transfer', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ amountCents: cents + 5000n, remittance: id, payerIban: IBAN })
    await assign(payment.id, id)
    const owed = await house('refunds')
    expect(await read(id)).toMatchObject({ status: 2 })
    const back = await test.arrive({ direction: 'debit', amountCents: 5000n, payerIban: IBAN, remittance: 'surplus' })
    expect(back.outcome).toBe('refund')
    expect(await house('refunds')).toBe(owed - 5000n)
  })

  it('a payment without a reference can pay an order of whoever sent it', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ amountCents: cents, remittance: 'my tokens please' })
    expect(payment.outcome).toBe('unknown_reference')
    await assign(payment.id, id)
    expect(await read(id)).toMatchObject({ status: 2 })
  })

  it('is refused where it must not be, and then nothing is booked', async () => {
    const { id, cents } = await order()
    const short = await test.arrive({ amountCents: 100n, remittance: id })
    expect(await refusal(assign(short.id, id))).toBe('too_little')
    expect(await refusal(assign(short.id, 'RF18539007547034'))).toBe('order_not_found')
    expect(await refusal(assign(999_999n, id))).toBe('payment_not_found')
    const foreign = await test.arrive({ amountCents: cents, currency: 'CHF', remittance: id })
    expect(await refusal(assign(foreign.id, id))).toBe('wrong_currency')
    const exact = await test.arrive({ amountCents: cents, remittance: id })
    expect(await refusal(assign(exact.id, id))).toBe('payment_not_found')
    const second = await test.arrive({ amountCents: cents, remittance: id })
    expect(await refusal(assign(second.id, id))).toBe('order_not_open')
    expect(await read(id)).toMatchObject({ status: 2, unfitPayment: { reason: 'order_already_paid' } })
    const decided = await test.app.context.db.select().from(paymentDecisions)
    expect(decided.filter(({ paymentId }) => [short.id, foreign.id, exact.id, second.id].includes(paymentId))).toEqual([])
  })

  it('by two operators at once counts once', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ amountCents: cents - 1n, remittance: id })
    const outcomes = await Promise.allSettled([assign(payment.id, id), refund(payment.id), assign(payment.id, id)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await test.app.context.db.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, payment.id))
    expect(rows).toHaveLength(1)
  })

  it('holds withdrawals where the bank takes the payment back later', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ entryId: 'assigned-then-returned', amountCents: cents - 1n, remittance: id })
    await assign(payment.id, id)
    const back = await test.arrive({
      direction: 'debit',
      amountCents: cents - 1n,
      takesBack: 'assigned-then-returned',
      remittance: id
    })
    expect(back.outcome).toBe('returned')
    const { withdrawals } = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
    expect(withdrawals).toMatchObject({ allowed: false, reason: 'held' })
  })
})

describe('refunded by an operator', () => {
  it('a payment is owed back, the customer is told why, and the transfer at the bank settles it once', async () => {
    const { id, cents } = await order()
    const [suspense, refunds] = [await house('suspense'), await house('refunds')]
    const payment = await test.arrive({ amountCents: cents - 1n, remittance: id, payerIban: IBAN })
    await refund(payment.id)
    expect([await house('suspense'), await house('refunds')]).toEqual([suspense, refunds + cents - 1n])
    expect(await read(id)).toMatchObject({ status: 0, unfitPayment: null })
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.subject).toContain('We are sending €956.79 back to you')
    expect(mail?.text).toContain('You asked for it')
    const out = { direction: 'debit', amountCents: cents - 1n, payerIban: IBAN, remittance: `Refund ${id}` } as const
    expect((await test.arrive({ ...out, entryId: 'refund-1' })).outcome).toBe('refund')
    expect((await test.arrive({ ...out, entryId: 'refund-1' })).outcome).toBe('refund')
    expect(await house('refunds')).toBe(refunds)
    // No decision covers a second identical transfer.
    expect((await test.arrive({ ...out, entryId: 'refund-2' })).outcome).not.toBe('refund')
  })

  it('is decided once, and never changed', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ amountCents: cents - 1n, remittance: id })
    await refund(payment.id)
    expect(await refusal(refund(payment.id))).toBe('already_decided')
    expect(await refusal(assign(payment.id, id))).toBe('already_decided')
    await expect(test.app.context.db.execute(sql`update payment_decisions set why = 'other'`)).rejects.toThrow()
    await expect(test.app.context.db.execute(sql`delete from payment_decisions`)).rejects.toThrow()
  })

  it('is refused for what the bank has sent back already', async () => {
    const { id, cents } = await order()
    const payment = await test.arrive({ entryId: 'recalled', amountCents: cents - 1n, remittance: id })
    await test.arrive({ direction: 'debit', amountCents: cents - 1n, takesBack: 'recalled', remittance: id })
    expect((await undecidedPayments(test.app.context.db, id)).map((one) => one.id)).not.toContain(payment.id)
    expect(await refusal(refund(payment.id))).toBe('sent_back')
    expect(await read(id)).toMatchObject({ unfitPayment: null })
  })

  it('leaves the exact payment of the order to complete it', async () => {
    const { id, cents } = await order()
    const short = await test.arrive({ amountCents: cents - 1n, remittance: id })
    await refund(short.id)
    expect((await test.arrive({ amountCents: cents, remittance: id })).outcome).toBe('matched')
    expect(await read(id)).toMatchObject({ status: 2, unfitPayment: null })
  })
})

it('lists what waits, oldest first, and nothing that is matched', async () => {
  const { id, cents } = await order()
  const first = await test.arrive({ amountCents: 123n, remittance: 'no idea' })
  const second = await test.arrive({ amountCents: cents - 1n, remittance: id })
  await test.arrive({ amountCents: cents, remittance: id })
  const waiting = (await undecidedPayments(test.app.context.db)).map((one) => one.id)
  expect(waiting.slice(-2)).toEqual([first.id, second.id])
  const matched = await test.app.context.db.select().from(payments).where(eq(payments.outcome, 'matched'))
  expect(waiting.filter((one) => matched.some((row) => row.id === one))).toEqual([])
})

describe('money that leaves the bank', () => {
  const OTHER_IBAN = 'DE89370400440532013000'
  const withdrawals = async () => (await test.send('GET', '/users/profile', { token: customer.token })).body.data.withdrawals
  const isListed = async (id: bigint) => (await undecidedPayments(test.app.context.db)).some((one) => one.id === id)

  it('of an assigned payment holds its customer, by whatever name the bank calls it', async () => {
    const { id, cents } = await order()
    const mangled = { amountCents: cents + 700n, remittance: 'mangled', payerIban: IBAN }
    const payment = await test.arrive(mangled)
    await assign(payment.id, id)
    const refunds = await house('refunds')
    const back = await test.arrive({ ...mangled, direction: 'debit' })
    expect(back).toMatchObject({ outcome: 'returned', orderId: id, counterpartId: payment.id })
    expect(await withdrawals()).toMatchObject({ allowed: false, reason: 'held' })
    // The surplus that was owed back left with it.
    expect(await house('refunds')).toBe(refunds - 700n)
  })

  it('of a payment that named one order and paid another holds the one that was paid', async () => {
    const first = await order()
    const second = await order(20)
    const payment = await test.arrive({ amountCents: second.cents, remittance: first.id, payerIban: IBAN })
    await assign(payment.id, second.id)
    const back = await test.arrive({ direction: 'debit', amountCents: second.cents, remittance: first.id, payerIban: IBAN })
    expect(back).toMatchObject({ outcome: 'returned', orderId: second.id })
    expect((await test.arrive({ amountCents: first.cents, remittance: first.id })).outcome).toBe('matched')
  })

  it('before the payment was read leaves nothing to assign or to refund', async () => {
    const { id, cents } = await order()
    await test.arrive({ direction: 'debit', amountCents: cents - 1n, remittance: id, payerIban: IBAN })
    const payment = await test.arrive({ amountCents: cents - 1n, remittance: id, payerIban: IBAN })
    expect(await isListed(payment.id)).toBe(false)
    expect(await refusal(assign(payment.id, id))).toBe('sent_back')
    expect(await refusal(refund(payment.id))).toBe('sent_back')
    expect(await read(id)).toMatchObject({ unfitPayment: null })
  })

  it('to nobody named is not a payment from nobody named', async () => {
    const payment = await test.arrive({ amountCents: 2501n, remittance: 'cash', payerIban: '' })
    const fee = await test.arrive({ direction: 'debit', amountCents: 2501n, remittance: 'fees', payerIban: '' })
    expect(fee).toMatchObject({ outcome: 'debit', counterpartId: null })
    expect(await isListed(payment.id)).toBe(true)
    await refund(payment.id)
  })

  it('as a surplus may name either order', async () => {
    const first = await order()
    const second = await order(20)
    const payment = await test.arrive({ amountCents: second.cents + 500n, remittance: first.id, payerIban: IBAN })
    await assign(payment.id, second.id)
    const back = await test.arrive({ direction: 'debit', amountCents: 500n, remittance: second.id, payerIban: IBAN })
    expect(back.outcome).toBe('refund')
    expect(await withdrawals()).not.toMatchObject({ reason: 'held' })
  })

  it('by the bank’s own return settles the refund that was decided', async () => {
    const { id, cents } = await order()
    await test.arrive({ amountCents: cents, remittance: id, payerIban: IBAN })
    const twice = await test.arrive({ entryId: 'paid-twice', amountCents: cents, remittance: id, payerIban: IBAN })
    await refund(twice.id)
    const refunds = await house('refunds')
    const back = await test.arrive({ direction: 'debit', amountCents: cents, takesBack: 'paid-twice', remittance: id })
    expect(back.outcome).toBe('refund')
    expect(await house('refunds')).toBe(refunds - cents)
    expect(await withdrawals()).not.toMatchObject({ reason: 'held' })
  })

  it('without the order’s reference ends its check too', async () => {
    const { id, cents } = await order()
    await test.arrive({ amountCents: cents - 1n, remittance: id, payerIban: OTHER_IBAN })
    expect(await read(id)).toMatchObject({ unfitPayment: { reason: 'amount_too_low' } })
    const back = await test.arrive({ direction: 'debit', amountCents: cents - 1n, remittance: 'back', payerIban: OTHER_IBAN })
    expect(back).toMatchObject({ outcome: 'debit', orderId: id })
    expect(await read(id)).toMatchObject({ unfitPayment: null })
  })

  it('sends back what came before it, and of two the one that it names', async () => {
    const { id } = await order()
    const booked = (day: number) => ({ bookedOn: `2026-01-0${day}`, valueOn: `2026-01-0${day}` })
    await test.arrive({ direction: 'debit', amountCents: 9991n, remittance: 'rent', payerIban: IBAN, ...booked(1) })
    const nameless = await test.arrive({ amountCents: 9991n, remittance: 'no idea', payerIban: IBAN, ...booked(2) })
    const named = await test.arrive({ amountCents: 9991n, remittance: id, payerIban: IBAN, ...booked(2) })
    await test.arrive({ direction: 'debit', amountCents: 9991n, remittance: id, payerIban: IBAN, ...booked(3) })
    expect([await isListed(nameless.id), await isListed(named.id)]).toEqual([true, false])
    await refund(nameless.id)
  })
})
