/** Screening of names: what is found stops money until two persons have decided, and what cannot be looked up waits. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentHooks } from '#lib/server/app/features.ts'
import { receiveEntry } from '#lib/server/payments/index.ts'
import { receiveMany } from '#lib/server/payments/receive.ts'
import { keptList } from '#lib/server/screening/adapters/keptList.ts'
import { sandboxList } from '#lib/server/screening/adapters/sandboxList.ts'
import { watchman } from '#lib/server/screening/adapters/watchman.ts'
import { type NameScreen, refreshList, ScreeningError, screenCustomers, withdrawalWaits } from '#lib/server/screening/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const VANE = { firstName: 'Zebulon', lastName: 'Vane', dob: '1961-04-28' }
const why = 'Compared passport and list'
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
  xml = await sandboxList()
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
    xml = xml.replace('2026-11-01', '2026-11-20')
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
    await w.fund(small, 'USDC', units('USDC', 500))
    await w.confirmed(small, 'USDC', units('USDC', 400))
    expect((await stateAfterSigning(small)).state).toBe('signed')
    xml = await sandboxList()
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
    xml = short.replace('2026-11-01', '2026-11-25')
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
  async function pays(customer: Customer, payerName: string, { many = false, comboConfigId = 22 } = {}) {
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
      payerIban: 'AT611904300234573201'
    }
    if (many) await receiveMany(test.app.context, ports(), [entry])
    else await receiveEntry(test.app.context, ports(), entry)
    return order
  }
  const orderOf = async (customer: Customer, id: string) =>
    (await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data
  const outcomes = async () =>
    (
      (await test.app.context.db.execute(sql`select outcome from payments order by id desc limit 1`)) as unknown as {
        rows: { outcome: string }[]
      }
    ).rows[0]?.outcome

  it.each([false, true])(
    'above the setting waits for its payer’s name, and is assigned after that (together: %s)',
    async (many) => {
      const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
      const order = await pays(customer, 'Grimsholt Vexley Trading', { many })
      expect(await outcomes()).toBe('screening')
      const unpaid = await orderOf(customer, order.id)
      expect(unpaid.unfitPayment).toMatchObject({ reason: 'screening' })
      expect(unpaid.status).not.toBe(2)
      expect(await gateOf(customer)).toBe('held')
      const { payments } = (await finn.call('listPayments')).body.data
      const { id } = payments.at(-1)
      const values = { params: { id }, body: { orderId: order.id, why } }
      // Nobody of finance can do it before compliance has decided.
      expect((await finn.call('proposeAssignment', values)).body.message).toContain('sanctions')
      const hit = await hitOf(customer)
      expect(hit).toMatchObject({ of: 'payer', name: 'G. V.' })
      expect(await notThisPerson(hit.id)).toBe(200)
      expect((await finn.call('proposeAssignment', values)).status).toBe(200)
      expect(await gateOf(customer)).toBeNull()
    }
  )

  it('of an ordinary payer, or up to the setting, pays at once', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    const order = await pays(customer, 'Grace Hopper', { comboConfigId: 19 })
    expect((await orderOf(customer, order.id)).status).toBe(2)
  })

  it('waits above the setting while names cannot be looked up', async () => {
    const customer = await named({ firstName: 'Grace', lastName: 'Hopper' })
    const failing: NameScreen = { ...list, search: () => Promise.reject(new ScreeningError('down')) }
    const { screenPayer } = paymentHooks({ referral: { restDays: 14 } }, failing)
    const payer = { userId: customer.userId, name: 'Grace Hopper' }
    expect(await screenPayer(test.app.context, { ...payer, euroCents: 100_001n })).toBe('wait')
    expect(await screenPayer(test.app.context, { ...payer, euroCents: 100_000n })).toBe('go')
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
