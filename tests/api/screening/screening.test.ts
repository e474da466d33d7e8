/** Screening of names: what is found stops money until two persons have decided, and what cannot be looked up waits. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentHooks } from '#lib/server/app/features.ts'
import {
  isFileRight,
  listRefundFiles,
  makeRefundFile,
  paymentPeople,
  receiveEntry,
  refundsToFile,
  waitingPayers
} from '#lib/server/payments/index.ts'
import { receiveMany } from '#lib/server/payments/receive.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { keptList } from '#lib/server/screening/adapters/keptList.ts'
import { sandboxList } from '#lib/server/screening/adapters/sandboxList.ts'
import { watchman } from '#lib/server/screening/adapters/watchman.ts'
import {
  type NameScreen,
  refreshList,
  ScreeningError,
  screenCustomers,
  screenPayers,
  withdrawalWaits
} from '#lib/server/screening/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { carryOut } from '#support/bankDesk.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const VANE = { firstName: 'Zebulon', lastName: 'Vane', dob: '1961-04-28' }
const why = 'Compared passport and list'
const LISTED = {
  source: 'test',
  entryId: 'T-1',
  listed: 'Somebody',
  about: 'A test',
  births: [],
  score: 1,
  birth: 'unknown' as const
}
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let desk: ReturnType<typeof deskOf>
let fay: Member
let clara: Member
let finn: Member
let list: NameScreen
let xml = ''

beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
  desk = deskOf(test)
  const admins = await desk.admins()
  fay = await desk.member(admins, 'Fay', ['compliance'])
  clara = await desk.member(admins, 'Clara', ['compliance'])
  finn = await desk.member(admins, 'Finn', ['finance'])
  list = keptList(test.app.context, 'sandbox', async () => xml)
})
beforeEach(async () => {
  test.pass(3600)
  for (const one of [fay, clara, finn]) await desk.signIn(one)
  xml = await sandboxList(() => test.app.context.clock())()
  await refreshList(test.app.context, list)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const screenAll = () => screenCustomers(test.app.context, list)
async function named(person: { firstName: string; lastName: string; dob?: string }): Promise<Customer> {
  const customer = await test.customer({ unverified: true })
  await test.decideIdentity(customer, 'approve', person)
  return customer
}
const hits = async (filter: 'open' | 'over' = 'open') => (await fay.call('listHits', { query: { filter } })).body.data
const hitOf = async ({ userId }: Customer) =>
  (await hits()).hits.find(({ customerId }: { customerId: string }) => customerId === userId)
const gateOf = async ({ userId }: Customer) => (await fay.call('getCustomer', { params: { id: userId } })).body.data.gate
const waits = ({ userId }: Customer, cents = 100n) =>
  withdrawalWaits(test.app.context.db, { userId, cents, now: test.app.context.clock() })
async function notThisPerson(id: string): Promise<number> {
  const proposed = await fay.call('proposeOtherPerson', { params: { id }, body: { why } })
  return (await clara.call('approveProposal', { params: { id: proposed.body.data.proposalId }, body: { why } })).status
}

describe('a verified name', () => {
  it('that is like one of the list holds its customer; two persons let them go, and it is remembered', async () => {
    const customer = await named(VANE)
    expect(await waits(customer), 'not looked at yet').toBe(true)
    await screenAll()
    const hit = await hitOf(customer)
    expect(hit).toMatchObject({ of: 'customer', name: 'Z. V.', listed: 'Zebulon Quorthax VANE', birth: 'same', state: 'open' })
    expect(hit.score).toBeGreaterThan(0.9)
    expect(await gateOf(customer)).toBe('held')
    expect(await waits(customer, 0n)).toBe(true)
    // Nothing personal in the list, and nothing at all for those who may not.
    expect(JSON.stringify(hit)).not.toContain('Zebulon Vane')
    expect((await finn.call('listHits')).body.code).toBe('right_missing')
    expect((await fay.call('showHit', { params: { id: hit.id }, body: { why } })).body.data).toMatchObject({
      name: 'Zebulon Vane',
      birthDate: '1961-04-28'
    })
    // One alone decides nothing.
    const { proposalId } = (await fay.call('proposeOtherPerson', { params: { id: hit.id }, body: { why } })).body.data
    expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).body.code).toBe('own_proposal')
    expect((await clara.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
    expect(await gateOf(customer)).toBeNull()
    expect(await waits(customer, 10n ** 9n)).toBe(false)
    // A newer list with the same entry asks no more; another name does.
    xml = xml.replace(/generationDate="[^"]*"/, 'generationDate="2026-11-20T00:00:00.000Z"')
    await refreshList(test.app.context, list)
    await screenAll()
    expect(await hitOf(customer)).toBeUndefined()
    await test.decideIdentity(customer, 'reopen', VANE).catch(() => undefined)
    expect((await hits('over')).hits[0]).toMatchObject({ state: 'other_person', decidedBy: 'Fay', approvedBy: 'Clara', why })
  })

  it('that is this person stays held', async () => {
    const customer = await named({ firstName: 'Ottoline', lastName: 'Brackwater Sloane', dob: '1973-05-06' })
    await screenAll()
    const hit = await hitOf(customer)
    expect(hit).toMatchObject({ birth: 'same', births: ['1973–1975'] })
    expect((await fay.call('confirmHit', { params: { id: hit.id }, body: { why } })).status).toBe(200)
    expect(await gateOf(customer)).toBe('held')
    expect((await fay.call('proposeOtherPerson', { params: { id: hit.id }, body: { why } })).body.code).toBe('hit_decided')
    expect(await waits(customer)).toBe(true)
  })

  it('is not compared with companies, and passes with another birth date where it is only similar', async () => {
    const [company, other] = [
      await named({ firstName: 'Grimsholt', lastName: 'Vexley Trading' }),
      await named({ firstName: 'Zebulun', lastName: 'Vane', dob: '1999-01-01' })
    ]
    await screenAll()
    expect([await hitOf(company), await hitOf(other)]).toEqual([undefined, undefined])
    expect(await waits(company)).toBe(false)
  })

  it('of staff is decided by others', async () => {
    const own = await test.customer({ email: fay.email, unverified: true })
    await test.decideIdentity(own, 'approve', VANE)
    await screenAll()
    const hit = await hitOf(own)
    expect((await fay.call('confirmHit', { params: { id: hit.id }, body: { why } })).body.code).toBe('own_account')
    expect((await fay.call('proposeOtherPerson', { params: { id: hit.id }, body: { why } })).body.code).toBe('own_account')
    const { proposalId } = (await clara.call('proposeOtherPerson', { params: { id: hit.id }, body: { why } })).body.data
    expect((await fay.call('approveProposal', { params: { id: proposalId }, body: { why } })).body.code).toBe('own_account')
    expect(await gateOf(own)).toBe('held')
  })
})

describe('a withdrawal', () => {
  const signing = async () => {
    const { signingOf } = test.app.chains
    if (!signingOf) throw new Error('The test has the seed')
    return signingOf('ethereum')
  }
  async function stateAfterSigning(customer: Customer) {
    await w.follow('ethereum')
    await signApproved(test.app.context, test.app.chains.withdrawals, await signing())
    const { state, waits: why } = (await w.list(customer))[0]
    return { state, waits: why }
  }

  it('is signed once its customer’s name was looked at', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    await w.fund(customer, 'USDC', units('USDC', 100))
    await w.confirmed(customer, 'USDC', units('USDC', 50))
    expect(await stateAfterSigning(customer)).toEqual({ state: 'approved', waits: 'gate' })
    await screenAll()
    expect((await stateAfterSigning(customer)).state).toBe('signed')
    await w.carryOut('USDC')
  })

  it('waits above the setting while the list is old or unreadable, and goes up to it', async () => {
    test.pass(8 * 86_400)
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    await screenAll()
    await w.fund(customer, 'USDC', units('USDC', 5_000))
    xml = 'nothing'
    await behindTheBack(test.app.context.db, sql`update screening_lists set read_at = read_at - interval '8 days'`)
    await refreshList(test.app.context, list)
    await w.confirmed(customer, 'USDC', units('USDC', 1_500), { details: { party: 'self', holder: 'own' } })
    expect(await stateAfterSigning(customer)).toEqual({ state: 'approved', waits: 'gate' })
    await desk.signIn(fay)
    expect(await hits()).toMatchObject({ state: 'stale', list: { error: 'The file is no list of EU sanctions' } })
    expect((await fay.call('getOverview')).body.data.screening).toMatchObject({ state: 'stale' })
    const small = await named({ firstName: 'Ada', lastName: 'Byron' })
    // By the last good list.
    await screenAll()
    await w.fund(small, 'USDC', units('USDC', 500))
    await w.confirmed(small, 'USDC', units('USDC', 400))
    expect((await stateAfterSigning(small)).state).toBe('signed')
    xml = await sandboxList(() => test.app.context.clock())()
    await refreshList(test.app.context, list)
    await screenAll()
    await w.carryOut('USDC')
    expect((await stateAfterSigning(customer)).state).not.toBe('approved')
  })
})

describe('a list', () => {
  it('that lost half of its entries, or is no list, leaves the last good one in use', async () => {
    const short = xml.replace(/<sanctionEntity[\s\S]*<\/sanctionEntity>/, (all) =>
      all.slice(0, all.indexOf('</sanctionEntity>') + 17)
    )
    xml = short.replace(/generationDate="[^"]*"/, 'generationDate="2026-11-25T00:00:00.000Z"')
    await refreshList(test.app.context, list)
    expect((await hits()).list).toMatchObject({ entries: 3, error: expect.stringContaining('only 1 entries instead of 3') })
    expect(await list.search({ name: 'Ottoline Brackwater Sloane', isPerson: true })).toHaveLength(1)
  })

  it('that is taken away switches screening off, and what was found stays', async () => {
    const customer = await named({ ...VANE, firstName: 'Zebulon Quorthax' })
    await screenAll()
    await refreshList(test.app.context, undefined)
    expect((await hits()).state).toBe('off')
    expect(await gateOf(customer)).toBe('held')
    const { rows } = (await test.app.context.db.execute(sql`select count(*)::int as n from screening_entries`)) as unknown as {
      rows: { n: number }[]
    }
    expect(rows[0]?.n).toBe(0)
  })
})

describe('a payment', () => {
  const ports = () => ({ rates: test.app.ports.rates, ...paymentHooks({ referral: { restDays: 14 } }, list) })
  async function ordered(customer: Customer, payerName: string, { many = false, comboConfigId = 22 } = {}) {
    const order = (await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId, bankAccountId: 1 } }))
      .body.data
    const amountCents = BigInt(order.euroToPay.replace('.', ''))
    const today = test.app.context.clock().toISOString().slice(0, 10)
    const entry = {
      entryId: `${order.id}:${payerName}`,
      direction: 'credit' as const,
      amountCents,
      currency: 'EUR',
      bookedOn: today,
      valueOn: today,
      remittance: order.id,
      payerName,
      payerIban: many ? 'DE89370400440532013000' : 'AT611904300234573201'
    }
    return { order, entry }
  }
  async function pays(customer: Customer, payerName: string, { many = false, comboConfigId = 22 } = {}) {
    const { order, entry } = await ordered(customer, payerName, { many, comboConfigId })
    if (many) await receiveMany(test.app.context, ports(), [entry])
    else await receiveEntry(test.app.context, ports(), entry)
    return order
  }
  const orderOf = async (customer: Customer, id: string) =>
    (await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data
  /** What came of the newest payment, or of the newest of this payer. */
  const outcomes = async (payer = '%') =>
    (
      (await test.app.context.db.execute(
        sql`select outcome from payments where payer_name like ${payer} order by id desc limit 1`
      )) as unknown as { rows: { outcome: string }[] }
    ).rows[0]?.outcome

  it.each([false, true])(
    'above the setting waits for its payer’s name, and is assigned after that (together: %s)',
    async (many) => {
      const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
      const order = await pays(customer, 'Grimsholt Vexley Trading', { many })
      expect(await outcomes()).toBe('in_review')
      const unpaid = await orderOf(customer, order.id)
      expect(unpaid.unfitPayment).toMatchObject({ reason: 'in_review' })
      expect(unpaid.status).not.toBe(2)
      expect(await gateOf(customer)).toBe('held')
      const { payments } = (await finn.call('listPayments')).body.data
      const { id } = payments.at(-1)
      const values = { params: { id }, body: { orderId: order.id, why } }
      // Nobody of finance can do it before compliance has decided.
      expect((await finn.call('proposeAssignment', values)).body.message).toContain('under review')
      const hit = await hitOf(customer)
      expect(hit).toMatchObject({ of: 'payer', name: 'G. V.' })
      expect(await notThisPerson(hit.id)).toBe(200)
      expect((await finn.call('proposeAssignment', values)).status).toBe(200)
      expect(await gateOf(customer)).toBeNull()
    }
  )

  it('is looked at by itself where another one, received with it, has the same id', async () => {
    const [one, other] = [
      await named({ firstName: 'Grace', lastName: 'Hopper' }),
      await named({ firstName: 'Ada', lastName: 'Byron' })
    ]
    const bad = await ordered(one, 'Grimsholt Vexley Trading', { many: true })
    const good = await ordered(other, 'Ada Byron', { many: true })
    // An account that nobody has decided about yet.
    const first = { ...bad.entry, payerIban: 'DE02120300000000202051' }
    await receiveMany(test.app.context, ports(), [first, { ...good.entry, entryId: first.entryId }])
    expect(await outcomes('Grimsholt Vexley Trading')).toBe('in_review')
    expect((await orderOf(one, bad.order.id)).status).not.toBe(2)
  })

  it('of an ordinary payer, or up to the setting, pays at once', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    const order = await pays(customer, 'Grace Hopper', { comboConfigId: 19 })
    expect((await orderOf(customer, order.id)).status).toBe(2)
  })

  it('waits above the setting while names cannot be looked up', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    const failing: NameScreen = { ...list, search: () => Promise.reject(new ScreeningError('down')) }
    const { screenPayer } = paymentHooks({ referral: { restDays: 14 } }, failing)
    const payer = { userId: customer.userId, name: 'Grace Hopper', iban: 'AT611904300234573201' }
    expect(await screenPayer(test.app.context, { ...payer, euroCents: 100_001n })).toBe('wait')
    expect(await screenPayer(test.app.context, { ...payer, euroCents: 100_000n })).toBe('go')
  })
})

describe('what a review with fresh eyes has found', () => {
  const ports = () => ({ rates: test.app.ports.rates, ...paymentHooks({ referral: { restDays: 14 } }, list) })
  async function arrives(
    customer: Customer,
    payerName: string,
    { more = 0n, comboConfigId = 22, iban = randomUUID() as string } = {}
  ) {
    const order = (await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId, bankAccountId: 1 } }))
      .body.data
    const today = test.app.context.clock().toISOString().slice(0, 10)
    const payment = await receiveEntry(test.app.context, ports(), {
      entryId: `${order.id}:${payerName}`,
      direction: 'credit',
      amountCents: BigInt(order.euroToPay.replace('.', '')) + more,
      currency: 'EUR',
      bookedOn: today,
      valueOn: today,
      remittance: order.id,
      payerName,
      payerIban: iban
    })
    return { order, payment }
  }
  const lookAtPayers = () => screenPayers(test.app.context, list, waitingPayers)
  const assign = ({ order, payment }: Awaited<ReturnType<typeof arrives>>) =>
    finn.call('proposeAssignment', { params: { id: String(payment.id) }, body: { orderId: order.id, why } })

  it('money that fits no order is assigned once its payer was looked up, and not if the name is like one of the list', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    const odd = await arrives(customer, 'Grimsholt Vexley Trading LLC Dubai', { more: 1n })
    expect(odd.payment.outcome).toBe('amount_too_high')
    expect((await assign(odd)).body.message).toContain('not looked up yet')
    await lookAtPayers()
    expect((await assign(odd)).body.message).toContain('under review')
    // Nor does it go back: money of somebody who must not be served goes nowhere.
    const refund = await finn.call('proposeRefund', { params: { id: String(odd.payment.id) }, body: { why } })
    expect(refund.body.message).toContain('under review')
    const other = await named({ firstName: 'Ada', lastName: 'Byron' })
    const fine = await arrives(other, 'Ada Byron', { more: 1n })
    await lookAtPayers()
    expect((await assign(fine)).status).toBe(200)
  })

  it('money goes to no other account whose name is like one of the list, and into no file once a name is found', async () => {
    const OTHER = 'DE89370400440532013000'
    const elsewhere = async (payerName: string, name: string) => {
      const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
      const { payment } = await arrives(customer, payerName, { more: 1n, iban: 'AT611904300234573201' })
      // Signed in again: the list was read days later.
      for (const one of [clara, finn]) await desk.signIn(one)
      const body = { name, iban: OTHER, document: 'Letter 1', why }
      const { proposalId } = (await finn.call('proposeRefundElsewhere', { params: { id: String(payment.id) }, body })).body.data
      expect((await clara.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
      await carryOut(test, ports())
      const { refund } = (await finn.call('getPayment', { params: { id: String(payment.id) } })).body.data
      return refund
    }
    expect(await elsewhere('Grace Hopper', 'Zebulon Quorthax Vane')).toBeNull()
    const bank = test.app.ports.bank
    const file = () => transact(test.app.context, (work) => makeRefundFile(work, bank, { kind: 'staff', id: 'f' }))
    // The receiver's name is found after the decision, before the file; the payer's, after the file.
    const mara = await elsewhere('Grace Hopper', 'Mara Teal')
    expect(mara).toMatchObject({ state: 'approved' })
    const hit = async (name: string, iban: string) => {
      const found = { ...list, search: async () => [LISTED] }
      test.pass(6 * 86_400)
      await refreshList(test.app.context, list)
      await screenPayers(test.app.context, found, async () => [{ name, iban, userId: undefined }])
    }
    await hit('Mara Teal', OTHER)
    expect(await file()).toBeUndefined()
    await elsewhere('Odo Payer', 'Ida Rhodes')
    const made = await file()
    expect(made?.transfers).toBe(1)
    const isRight = () => isFileRight(test.app.context.db, made?.id ?? 0n, 'download')
    expect(await isRight()).toBe(true)
    // The next run looks up whom a refund goes to as well.
    expect((await paymentPeople(test.app.context.db)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Ida Rhodes', 'Odo Payer'])
    )
    await hit('Odo Payer', 'AT611904300234573201')
    expect(await isRight()).toBe(false)
    expect((await listRefundFiles(test.app.context.db))[0]).toMatchObject({ id: made?.id, wrong: 1 })
    // A file that is with the bank is marked as sent all the same: given up, its other refunds would go out twice.
    expect(await isFileRight(test.app.context.db, made?.id ?? 0n, 'send')).toBe(true)
    // What waits for a review rings no alarm.
    expect((await refundsToFile(test.app.context.db)).count).toBe(0)
  })

  it('one payer whose name cannot be looked up holds up no other', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    for (const more of [1n, 2n, 3n]) await arrives(customer, 'Unreadable Payer', { more, iban: 'AT861904300235473202' })
    const fine = await arrives(customer, 'Ada Byron', { more: 1n })
    const picky: NameScreen = {
      ...list,
      search: (asked) => (asked.name.startsWith('Unreadable') ? Promise.reject(new ScreeningError('odd')) : list.search(asked))
    }
    await screenPayers(test.app.context, picky, waitingPayers)
    expect((await assign(fine)).body.message ?? '').not.toContain('not looked up')
    await lookAtPayers()
  })

  it('a customer who is this person is credited nothing, whoever pays and however little', async () => {
    const customer = await named({ ...VANE, firstName: 'Zebulon Quorthax' })
    await screenAll()
    await fay.call('confirmHit', { params: { id: (await hitOf(customer)).id }, body: { why } })
    expect((await arrives(customer, 'Mary Smith', { comboConfigId: 19 })).payment.outcome).toBe('in_review')
  })

  it('an account of several people is looked up for each, and one without a name is decided by a person', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    expect((await arrives(customer, 'Mary Vane und Zebulon Quorthax Vane')).payment.outcome).toBe('in_review')
    const nameless = await named({ firstName: 'Ada', lastName: 'Byron' })
    expect((await arrives(nameless, '')).payment.outcome).toBe('in_review')
    expect(await hitOf(nameless)).toMatchObject({ listed: 'no name' })
  })

  it('a name that changes while it is looked up is looked at again', async () => {
    let customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    let isChanged = false
    const slow: NameScreen = {
      ...list,
      search: async (asked) => {
        const found = await list.search(asked)
        if (asked.name === 'Grace Hopper' && !isChanged) {
          isChanged = true
          test.pass(1)
          await test.decideIdentity(customer, 'submit')
          test.pass(1)
          await test.decideIdentity(customer, 'approve', VANE)
        }
        return found
      }
    }
    // The worker's own run may have looked the name up before this one: then with another customer.
    for (let tries = 0; !isChanged && tries < 10; tries += 1) {
      while ((await screenCustomers(test.app.context, slow)) > 0 && !isChanged);
      if (!isChanged) customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    }
    expect(isChanged).toBe(true)
    expect(await waits(customer)).toBe(true)
    await screenAll()
    expect(await hitOf(customer)).toMatchObject({ name: 'Z. V.' })
  })

  it('a name that changes while others of its batch are looked up is looked at again', async () => {
    let changed: Customer | undefined
    for (let tries = 0; !changed && tries < 10; tries += 1) {
      const pair = [
        await named({ firstName: 'Joan', lastName: `Clarke${tries}` }),
        await named({ firstName: 'Edith', lastName: `Clarke${tries}` })
      ]
      const slow: NameScreen = {
        ...list,
        search: async (asked) => {
          const first = [`Joan Clarke${tries}`, `Edith Clarke${tries}`].indexOf(asked.name)
          const other = pair[1 - first]
          if (first >= 0 && other && !changed) {
            changed = other
            test.pass(1)
            await test.decideIdentity(other, 'submit')
            await test.decideIdentity(other, 'approve', VANE)
          }
          return list.search(asked)
        }
      }
      await screenCustomers(test.app.context, slow)
    }
    if (!changed) throw new Error('The worker was always first')
    expect(await waits(changed)).toBe(true)
    await screenAll()
    expect(await hitOf(changed)).toMatchObject({ name: 'Z. V.' })
  })

  it('one name that cannot be looked up holds up no other', async () => {
    const [bad, good] = [
      await named({ firstName: 'Unreadable', lastName: 'Name' }),
      await named({ firstName: 'Grace', lastName: 'Hopper' })
    ]
    const picky: NameScreen = {
      ...list,
      search: (asked) => (asked.name.startsWith('Unreadable') ? Promise.reject(new ScreeningError('odd')) : list.search(asked))
    }
    await screenCustomers(test.app.context, picky)
    expect([await waits(bad), await waits(good)]).toEqual([true, false])
    await screenAll()
  })

  it('a hold of a name ends by the decision about it alone, and a decision stays', async () => {
    const customer = await named({ ...VANE, firstName: 'Zebulon Quorthax' })
    await screenAll()
    const { holds } = (await fay.call('getCustomer', { params: { id: customer.userId } })).body.data
    const release = await fay.call('proposeRelease', { params: { id: customer.userId }, body: { holdId: holds[0].id, why } })
    expect(release.body.code).toBe('hold_of_name')
    const { id } = await hitOf(customer)
    await fay.call('confirmHit', { params: { id }, body: { why } })
    const undo = test.app.context.db.execute(
      sql`update screening_hits set state = 'other_person', decided_by = 'staff:a', approved_by = 'staff:b' where id = ${id}`
    )
    await expect(undo).rejects.toThrow()
    // Who serves customers, and decides about no name, reads no name of the list.
    const sue = await finn.call('getCustomer', { params: { id: customer.userId } })
    expect(JSON.stringify(sue.body.data)).not.toMatch(/screening|VANE|sanction/i)
  })

  it('an entry of the list that has changed is asked about again', async () => {
    const customer = await named({ ...VANE, firstName: 'Zebulon Quorthax', dob: '1980-01-01' })
    await screenAll()
    expect(await notThisPerson((await hitOf(customer)).id)).toBe(200)
    xml = xml
      .replaceAll('1961-04-28', '1980-01-01')
      .replace(/generationDate="[^"]*"/, `generationDate="${test.app.context.clock().toISOString()}"`)
    await refreshList(test.app.context, list)
    await screenAll()
    expect(await hitOf(customer)).toMatchObject({ birth: 'same' })
  })
})

describe('Watchman', () => {
  let server: Server
  let asked: URL[]
  let answer: { status: number; body: unknown }
  const ENTITY = {
    name: 'Nicolas MADURO MOROS',
    entityType: 'person',
    sourceList: 'us_ofac',
    sourceID: '22790',
    person: {
      name: 'Nicolas MADURO MOROS',
      altNames: null,
      gender: 'male',
      birthDate: '1962-11-23T00:00:00Z',
      titles: ['President']
    },
    business: null,
    contact: { emailAddresses: null },
    addresses: null,
    match: 0.8443
  }
  const screen = () => watchman(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://x'))
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => {
    asked = []
  })
  afterAll(() => server.close())

  it('is asked by its documented search, and its answer is read', async () => {
    answer = { status: 200, body: { query: {}, entities: [ENTITY] } }
    const found = await screen().search({ name: 'Nicolás Maduro', birthDate: '1962-11-23', isPerson: true })
    expect(found).toEqual([
      {
        source: 'watchman',
        entryId: 'us_ofac:22790',
        listed: 'Nicolas MADURO MOROS',
        about: 'us_ofac, President',
        births: [{ from: '1962-11-23', to: '1962-11-23' }],
        score: 0.8443,
        birth: 'same'
      }
    ])
    expect(asked[0]?.pathname).toBe('/v2/search')
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      name: 'Nicolás Maduro',
      limit: '20',
      minMatch: '0.8',
      type: 'person',
      birthDate: '1962-11-23'
    })
  })

  it('gets no birth date of a payer, which it would refuse', async () => {
    answer = { status: 200, body: { entities: null } }
    expect(await screen().search({ name: 'A B', birthDate: '1962-11-23', isPerson: false })).toEqual([])
    expect(asked[0]?.searchParams.has('birthDate')).toBe(false)
  })

  it('says which lists it has, and when it read them', async () => {
    answer = {
      status: 200,
      body: {
        lists: { us_ofac: 17_646, eu_csl: 9_000 },
        listHashes: {},
        startedAt: 'x',
        endedAt: '2026-11-26T08:00:00Z',
        version: 'v1.2.0'
      }
    }
    expect(await screen().refresh()).toEqual({ version: '2026-11-26T08:00:00Z', entries: 26_646 })
    answer = { status: 200, body: { lists: {}, endedAt: '' } }
    await expect(screen().refresh()).rejects.toThrow('no list')
  })

  it.each([
    ['an error', { status: 500, body: { error: 'x' } }],
    ['a refusal', { status: 400, body: { error: 'unknown parameter' } }],
    ['something else', { status: 200, body: { SDNs: [] } }]
  ])('that answers with %s finds nothing out: it throws', async (_, given) => {
    answer = given
    await expect(screen().search({ name: 'A B', isPerson: true })).rejects.toThrow(ScreeningError)
  })
})
