/** Payments at the desk: what fits no order is found, assigned, split, sent back by file and found again in the statement. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { houseBalance } from '#lib/server/ledger/index.ts'
import type { BankEntry } from '#lib/server/payments/index.ts'
import { carryOut, readAll, staffCustomer } from '#support/bankDesk.ts'
import { balance, camt, ntry } from '#support/camt.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const why = 'Name, amount and account agree'
const IBAN = 'AT611904300234573201'
const OTHER_IBAN = 'DE75512108001245126199'
let test: TestApp
let desk: ReturnType<typeof deskOf>
let finn: Member
let fay: Member
let cora: Member
let sue: Member
let customer: Customer

beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  const [ada, bela] = await desk.admins()
  finn = await desk.member([ada, bela], 'Finn', ['finance'])
  fay = await desk.member([ada, bela], 'Fay', ['finance'])
  cora = await desk.member([ada, bela], 'Cora', ['compliance'])
  sue = await desk.member([ada, bela], 'Sue', ['support'])
})
beforeEach(async () => {
  customer = await test.customer()
  for (const one of [finn, fay, cora, sue]) await desk.signIn(one)
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

const house = (kind: 'suspense' | 'refunds' | 'bank') => houseBalance(test.app.context.db, kind, 'EUR')
async function order(comboConfigId = 19, of = customer): Promise<{ id: string; cents: bigint }> {
  const { data } = (await test.send('POST', '/orders/combo', { token: of.token, body: { comboConfigId, bankAccountId: 1 } })).body
  return { id: data.id, cents: BigInt(data.euroToPay.replace('.', '')) }
}
const statusOf = async (id: string, of = customer) =>
  (await test.send('GET', `/orders/combo/${id}`, { token: of.token })).body.data.status
const own = { payerName: 'LOVELACE ADA', payerIban: IBAN }
const arrive = (entry: Partial<BankEntry>) => test.arrive({ ...own, ...entry })
const idOf = ({ id }: { id: bigint }) => ({ id: String(id) })
const shown = async (payment: { id: bigint }, by = sue) => (await by.call('getPayment', { params: idOf(payment) })).body.data
const approve = (by: Member, id: string) => by.call('approveProposal', { params: { id }, body: { why: 'Looked at it' } })
const wrongDigit = (id: string) => `${id.slice(0, -1)}${(Number(id.at(-1)) + 1) % 10}`

describe('a payment that fits no order', () => {
  it('is listed with its reason and its candidates, the best first, without a name or an account', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents, remittance: `Ada Lovelace ${wrongDigit(id)}` })
    const { payments, sumCents } = (await sue.call('listPayments')).body.data
    expect(payments.at(-1)).toMatchObject({
      id: String(payment.id),
      outcome: 'unknown_reference',
      payer: 'L. A.',
      account: 'AT ·· 3201'
    })
    expect(BigInt(sumCents)).toBe(await house('suspense'))
    const data = await shown(payment)
    expect(data.candidates[0]).toMatchObject({
      orderId: id,
      score: 85,
      reasons: [
        { reason: 'reference_typo', points: 45 },
        { reason: 'amount', points: 25 },
        { reason: 'name', points: 15 }
      ],
      second: null,
      refused: null
    })
    for (const secret of ['LOVELACE', 'Lovelace', IBAN]) expect(JSON.stringify([payments, data])).not.toContain(secret)
  })

  it('shows name, account and text after a reason, which is in the log', async () => {
    const payment = await arrive({ amountCents: 100n, remittance: '<script>alert(1)</script>' })
    const { data } = (await sue.call('showPayer', { params: idOf(payment), body: { why: 'The customer asks' } })).body
    expect(data).toMatchObject({ name: 'LOVELACE ADA', iban: IBAN, remittance: '<script>alert(1)</script>' })
    const { entries } = (await cora.call('listAudit')).body.data
    expect(entries[0]).toMatchObject({ act: 'show_personal_data', subject: `payment:${payment.id}`, name: 'Sue' })
  })

  it('is assigned by one person if it is exact and of the customer, and the worker completes the order', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents, remittance: wrongDigit(id) })
    const assign = (by: Member) => by.call('assignPayment', { params: idOf(payment), body: { orderId: id, why } })
    expect((await assign(sue)).body.code).toBe('right_missing')
    expect((await assign(finn)).status).toBe(200)
    expect((await assign(fay)).body).toMatchObject({
      code: 'payment_refused',
      message: expect.stringContaining('decided already')
    })
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
    expect(await shown(payment)).toMatchObject({ isWaiting: false, candidates: [] })
    expect((await test.mailsTo(customer.email))[0]?.subject).toContain('is completed')
  })

  it.each([
    ['of somebody else', 0n, { payerName: 'HANS MUELLER' }],
    ['with too little', -10n, {}],
    ['with too much', 500n, {}]
  ])('%s is assigned by two persons', async (_, difference, payer) => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents + difference, remittance: 'tokens', ...payer })
    const body = { orderId: id, why }
    expect((await finn.call('assignPayment', { params: idOf(payment), body })).body.code).toBe('second_person_needed')
    const { proposalId } = (await finn.call('proposeAssignment', { params: idOf(payment), body })).body.data
    await carryOut(test)
    expect(await statusOf(id)).not.toBe(2)
    expect((await approve(finn, proposalId)).body.code).toBe('own_proposal')
    expect((await approve(cora, proposalId)).body.code).toBe('right_missing')
    expect((await approve(fay, proposalId)).status).toBe(200)
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
    expect((await shown(payment)).refund?.state ?? null).toBe(difference > 0n ? 'approved' : null)
  })

  it('pays an order together with another one, where the customer was asked for the rest', async () => {
    const { id, cents } = await order()
    const first = await arrive({ amountCents: cents - 20_000n, remittance: id })
    const until = new Date(test.app.context.clock().getTime() + 5 * 86_400_000).toISOString().slice(0, 10)
    const asked = await finn.call('awaitTopUp', { params: idOf(first), body: { orderId: id, until, why } })
    expect(asked.body.data.message).toContain('€200.00')
    expect((await test.mailsTo(customer.email))[0]?.subject).toContain(`Please send €200.00 more for order ${id}`)
    const second = await arrive({ amountCents: 20_000n, remittance: id })
    expect((await shown(second)).beside).toContainEqual(expect.objectContaining({ id: String(first.id), orderId: id }))
    const alone = await finn.call('proposeAssignment', { params: idOf(first), body: { orderId: id, why } })
    expect(alone.body).toMatchObject({ code: 'payment_refused', message: expect.stringContaining('2% short') })
    const body = { orderId: id, also: [String(second.id)], why }
    const { proposalId } = (await finn.call('proposeAssignment', { params: idOf(first), body })).body.data
    expect((await approve(fay, proposalId)).status).toBe(200)
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
    // More than the price together would be nobody's surplus.
    const next = await order(20)
    const [one, two] = [
      await arrive({ amountCents: next.cents, remittance: 'a' }),
      await arrive({ amountCents: 1n, remittance: 'b' })
    ]
    const much = await finn.call('proposeAssignment', {
      params: idOf(one),
      body: { orderId: next.id, also: [String(two.id)], why }
    })
    expect(much.body.message).toContain('Together they are more')
  })

  it('is left with a reason and a day', async () => {
    const payment = await arrive({ amountCents: 150n, remittance: 'rent' })
    const leave = (until: string) => cora.call('leavePayment', { params: idOf(payment), body: { until, why } })
    expect((await leave('2020-01-01')).body.fields.until).toContain('from tomorrow on')
    const until = new Date(test.app.context.clock().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    expect((await leave(until)).status).toBe(200)
    expect((await shown(payment)).leave).toMatchObject({ until, by: 'Cora', why })
  })

  it('is nobody’s to decide whose own it is', async () => {
    const mine = await staffCustomer(test, finn)
    const { id, cents } = await order(19, mine)
    const payment = await arrive({ amountCents: cents, remittance: 'x' })
    const assigned = await finn.call('assignPayment', { params: idOf(payment), body: { orderId: id, why } })
    expect(assigned.body.code).toBe('own_account')
    const named = await arrive({ amountCents: cents - 1n, remittance: id })
    expect((await finn.call('proposeRefund', { params: idOf(named), body: { why } })).body.code).toBe('own_account')
    const { proposalId } = (await cora.call('proposeRefund', { params: idOf(named), body: { why } })).body.data
    expect((await approve(finn, proposalId)).body.code).toBe('own_account')
  })

  it('that changed after the proposal cannot be approved', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents + 1n, remittance: id })
    const { proposalId } = (await finn.call('proposeRefund', { params: idOf(payment), body: { why } })).body.data
    const other = (await fay.call('proposeAssignment', { params: idOf(payment), body: { orderId: id, why } })).body.data
    expect((await approve(finn, other.proposalId)).status).toBe(200)
    const refused = await approve(fay, proposalId)
    expect(refused.body).toMatchObject({ code: 'facts_changed', message: expect.stringContaining('decided') })
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
  })

  it('that the bank recalls is not decided until the recall is answered', async () => {
    const { id, cents } = await order()
    const payment = await arrive({ amountCents: cents, remittance: wrongDigit(id) })
    const recall = () =>
      cora.call('openRecall', { params: idOf(payment), body: { reason: 'FRAD', bankCase: 'C-1', why: 'camt.056 of today' } })
    expect((await recall()).status).toBe(200)
    expect((await recall()).body.code).toBe('recall_open')
    const assign = () => finn.call('assignPayment', { params: idOf(payment), body: { orderId: id, why } })
    expect((await assign()).body.message).toContain('answer the recall')
    const answer = () =>
      cora.call('answerRecall', {
        params: idOf(payment),
        body: { answer: 'refused', why: 'The customer has shown it is theirs' }
      })
    expect((await answer()).status).toBe(200)
    expect((await answer()).body.code).toBe('recall_not_open')
    expect((await assign()).status).toBe(200)
    await carryOut(test)
    expect(await statusOf(id)).toBe(2)
  })
})

describe('a refund', () => {
  const proposed = async (payment: { id: bigint }) =>
    (await finn.call('proposeRefund', { params: idOf(payment), body: { why: 'Sent twice' } })).body.data.proposalId
  async function decided(payment: { id: bigint }): Promise<void> {
    expect((await approve(cora, await proposed(payment))).status).toBe(200)
    await carryOut(test)
  }
  const newest = async () => (await finn.call('getRefunds')).body.data.files[0]
  const states = async () =>
    Object.fromEntries(
      (await finn.call('getRefunds')).body.data.states.map(({ state, count }: { state: string; count: number }) => [state, count])
    )

  it('goes out by a file that one makes and downloads once, another sends, and the statement confirms', async () => {
    const payment = await arrive({ amountCents: 239_200n, remittance: 'sent twice' })
    const owed = await house('refunds')
    await decided(payment)
    expect(await house('refunds')).toBe(owed + 239_200n)
    const made = await finn.call('makeRefundFile')
    expect(made.body.data.message).toContain('Download it once')
    expect((await finn.call('makeRefundFile')).body.code).toBe('nothing_to_refund')
    const { id, messageId } = await newest()
    const params = { id }
    expect((await fay.call('sendRefundFile', { params })).body.code).toBe('file_not_to_send')
    const { data } = (await finn.call('downloadRefundFile', { params })).body
    expect(data).toMatchObject({
      name: `${messageId}.xml`,
      content: expect.stringContaining('<InstdAmt Ccy="EUR">2392.00</InstdAmt>')
    })
    expect((await finn.call('downloadRefundFile', { params })).body.code).toBe('file_downloaded')
    expect((await finn.call('sendRefundFile', { params })).body.code).toBe('file_not_to_send')
    expect((await fay.call('sendRefundFile', { params })).status).toBe(200)
    expect((await shown(payment)).refund.state).toBe('sent')
    const { endToEndId } = (await shown(payment)).refund
    expect(data.content).toContain(`<EndToEndId>${endToEndId}<`)
    // The bank names another account than we sent it to: our own name of the transfer decides.
    const debit = await test.arrive({ direction: 'debit', amountCents: 239_200n, remittance: 'out', payerIban: 'XX', endToEndId })
    expect(debit.outcome).toBe('refund')
    expect(await house('refunds')).toBe(owed)
    expect((await shown(payment)).refund.state).toBe('confirmed')
    // The customer's bank refuses it: the money is in suspense again, and pays no order by a text that still names one.
    const { id: orderId, cents } = await order(19)
    const odd = await test.arrive({ amountCents: cents, remittance: `RETURN ${orderId}`, endToEndId })
    expect([odd.outcome, await statusOf(orderId)]).toEqual(['unknown_reference', 0])
    expect((await shown(payment)).refund.state).toBe('confirmed')
    const back = await test.arrive({ amountCents: 239_200n - 1_500n, remittance: `RETURN ${orderId}`, endToEndId })
    expect(back.outcome).toBe('unknown_reference')
    expect(await statusOf(orderId)).not.toBe(2)
    expect(await shown(back)).toMatchObject({ isReturnedRefund: true, isWaiting: true })
    expect((await shown(payment)).refund.state).toBe('returned')
  })

  it('that was lost after its download is released by two, with the same message id', async () => {
    await decided(await arrive({ amountCents: 5_000n, remittance: 'too much' }))
    await finn.call('makeRefundFile')
    const { id, messageId } = await newest()
    const params = { id }
    const first = (await finn.call('downloadRefundFile', { params })).body.data
    const { proposalId } = (await finn.call('proposeRefundFileAgain', { params, body: { why: 'The disk broke' } })).body.data
    expect((await finn.call('downloadRefundFile', { params })).body.code).toBe('file_downloaded')
    expect((await approve(fay, proposalId)).status).toBe(200)
    const second = (await fay.call('downloadRefundFile', { params })).body.data
    expect(second).toEqual(first)
    expect(second.name).toBe(`${messageId}.xml`)
    expect((await fay.call('sendRefundFile', { params })).status).toBe(200)
    const again = await finn.call('proposeRefundFileAgain', { params, body: { why: 'Once more' } })
    expect(again.body.code).toBe('file_not_to_send')
  })

  it('to another account needs a document, and a second person of compliance', async () => {
    const payment = await arrive({ amountCents: 7_000n, remittance: 'closed account' })
    const body = {
      name: 'Ada Lovelace',
      iban: 'DE75 5121 0800 1245 1261 99',
      document: 'Letter of her bank, case 12',
      why: 'Her account is closed'
    }
    const wrong = await finn.call('proposeRefundElsewhere', {
      params: idOf(payment),
      body: { ...body, iban: 'DE75 5121 0800 1245 1261 98' }
    })
    expect(wrong.body).toMatchObject({ code: 'invalid_fields', fields: { iban: expect.any(String) } })
    const { proposalId } = (await finn.call('proposeRefundElsewhere', { params: idOf(payment), body })).body.data
    expect((await approve(fay, proposalId)).body.code).toBe('approver_of_compliance')
    expect((await approve(cora, proposalId)).status).toBe(200)
    await carryOut(test)
    await finn.call('makeRefundFile')
    const { content } = (await finn.call('downloadRefundFile', { params: { id: (await newest()).id } })).body.data
    expect(content).toContain(`<IBAN>${OTHER_IBAN}</IBAN>`)
    expect(content).not.toContain(IBAN)
  })

  it('whose account no file can name is said to be made by hand', async () => {
    const payment = await arrive({ amountCents: 900n, remittance: 'cash', payerIban: '', payerName: '' })
    expect((await shown(payment)).isByHand).toBe(true)
    const before = (await states()).by_hand ?? 0
    await decided(payment)
    expect((await states()).by_hand).toBe(before + 1)
    expect((await finn.call('makeRefundFile')).body.code).toBe('nothing_to_refund')
  })

  it('leaves once, whatever eight clerks, the bank and the customer do at once', async () => {
    for (const [at, cents] of [11_100n, 22_200n, 33_300n].entries()) {
      const { id, cents: price } = await order(19)
      const payment = await arrive({ amountCents: at === 0 ? cents : price, remittance: wrongDigit(id) })
      const proposals = await Promise.all(
        [finn, cora].map((by) => by.call('proposeRefund', { params: idOf(payment), body: { why } }))
      )
      const proposal = proposals.find(({ status }) => status === 200)?.body.data.proposalId
      expect(proposals.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const clerks = await Promise.all(
        [finn, fay, cora, fay, finn, fay, cora].map((by, turn) =>
          turn % 2 === 0 ? approve(by, proposal) : by.call('assignPayment', { params: idOf(payment), body: { orderId: id, why } })
        )
      )
      const bank = test.arrive({
        direction: 'debit',
        ...own,
        amountCents: payment.amountCents,
        remittance: 'returned by the bank'
      })
      await Promise.all([bank, carryOut(test), carryOut(test), finn.call('makeRefundFile')])
      await carryOut(test)
      expect(clerks.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2)
      const { rows } = (await test.app.context.db.execute(sql`
        select (select count(*) from payment_decisions where payment_id = ${payment.id})::int as decided,
          (select count(*) from refunds where payment_id = ${payment.id})::int as sent,
          (select count(*) from payments where counterpart_id = ${payment.id})::int as back`)) as unknown as {
        rows: { decided: number; sent: number; back: number }[]
      }
      expect(rows[0]?.decided).toBeLessThanOrEqual(1)
      expect(rows[0]?.sent).toBeLessThanOrEqual(1)
      expect((await test.verifyLedger()).problems).toEqual([])
    }
  })
})

describe('a file of the bank', () => {
  let day = 20
  const statement = (entries: string[], opening: string, closing: string, id = `S-${day}`) => {
    const on = `<Dt><Dt>2026-11-${day}</Dt></Dt>`
    const dated = (text: string) => text.replace('</CdtDbtInd></Bal>', `</CdtDbtInd>${on}</Bal>`)
    return camt(entries, { id, balances: dated(balance('OPBD', opening)) + dated(balance('CLBD', closing)) })
  }
  const upload = (content: string, name = 'day.xml', by = finn) => by.call('uploadStatement', { body: { name, content } })
  /** Another person accepts what was uploaded last; then the worker reads it. */
  const read = async () => {
    const [file] = await files()
    const { digest } = (await cora.call('getBankFile', { params: { id: file.id } })).body.data.preview
    const accepted = await cora.call('acceptStatement', {
      params: { id: file.id },
      body: { why: 'Compared with the bank', digest }
    })
    expect(accepted.body).toMatchObject({ data: { message: expect.stringContaining('Accepted') } })
    await readAll(test)
  }
  const files = async () => (await finn.call('listBankFiles')).body.data
  const bankDay = async (of: string) => (await finn.call('listBankDays')).body.data.find((one: { day: string }) => one.day === of)
  const euros = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

  it('is uploaded, read by the worker, and says what became of each entry; the same file is taken once', async () => {
    const { id, cents } = await order()
    const opening = -(await house('bank'))
    const closing = opening + cents + 5_000n
    const entries = [
      ntry({ ref: 'U-1', amount: euros(cents), text: id, bookedOn: '2026-11-20' }),
      ntry({ ref: 'U-2', amount: '50.00', text: 'rent', bookedOn: '2026-11-20' })
    ]
    // What the tests before have booked stands under the days of their own.
    await test.app.context.db.execute(sql`select 1`)
    const xml = statement(entries, euros(opening), euros(closing))
    expect((await upload('<no/>')).body.fields.content).toContain('no camt.053')
    expect((await upload(xml, 'x.xml', cora)).body.code).toBe('right_missing')
    const taken = await upload(xml)
    expect(taken.body.data.message).toContain('1 statements with 2 entries')
    expect((await upload(xml, 'again.xml')).body.code).toBe('file_known')
    await read()
    expect(await statusOf(id)).toBe(2)
    const [file] = await files()
    expect(file).toMatchObject({
      name: 'day.xml',
      by: 'Finn',
      problems: [],
      entries: 2,
      known: 0,
      matched: 1,
      apart: 1,
      receivedAt: expect.any(String)
    })
    const { results } = (await finn.call('getBankFile', { params: { id: file.id } })).body.data
    expect(results).toMatchObject([
      { outcome: 'matched', orderId: id, wasKnown: false },
      { outcome: 'unknown_reference', wasKnown: false }
    ])
    // Overlapping: the same entries again in another file.
    await upload(statement(entries, euros(opening), euros(closing), 'S-20-again'))
    await read()
    expect((await files())[0]).toMatchObject({ entries: 2, known: 2, matched: 0, apart: 0 })
  })

  it('with a fault stays open with what is wrong, and a day that does not add up is not equal', async () => {
    day = 21
    const opening = 1_000_000n
    await upload(
      statement([ntry({ ref: 'V-1', amount: '10.00', bookedOn: '2026-11-21' })], euros(opening), euros(opening + 900n)),
      'wrong.xml'
    )
    await read()
    const [file] = await files()
    expect(file.receivedAt).toBeNull()
    expect(file.problems[0]).toContain('its closing balance is')
    expect(await bankDay('2026-11-21')).toMatchObject({ isEqual: false })
  })

  it('has its largest size', async () => {
    expect((await upload('x'.repeat(25 * 1024 * 1024))).body.code).toBe('body_too_large')
  })
})

describe('the file of transfers', () => {
  const example = fileURLToPath(new URL('../../fixtures/refunds.pain.001.001.09.xml', import.meta.url))
  const file = {
    messageId: 'REF-0031-20261124',
    madeAt: new Date('2026-11-24T11:30:00Z'),
    on: '2026-11-24',
    transfers: [
      {
        endToEndId: 'REFUND0000020479',
        amountCents: 239_200n,
        name: 'Łukasz Müller & Söhne',
        iban: IBAN,
        text: 'Refund of your payment for order 78 7024 1196 3385'
      },
      {
        endToEndId: 'REFUND0000020480',
        amountCents: 1n,
        name: `Frau ${'Lang '.repeat(30)}`,
        iban: 'de75 5121 0800 1245 1261 99',
        text: `${'x€'.repeat(200)}`
      }
    ]
  }

  it('is as the example that passed the schema of the European Payments Council', () => {
    const xml = test.app.ports.bank.write(file)
    if (process.env.UPDATE) writeFileSync(example, xml)
    expect(xml).toBe(readFileSync(example, 'utf8'))
    expect(xml).toContain('<CtrlSum>2392.01</CtrlSum>')
    expect(() => test.app.ports.bank.write({ ...file, transfers: [] })).toThrow(RangeError)
  })

  it.runIf(process.env.PAIN_SCHEMA)('is valid against the schema', () => {
    execFileSync('xmllint', ['--noout', '--schema', process.env.PAIN_SCHEMA ?? '', example])
  })
})
