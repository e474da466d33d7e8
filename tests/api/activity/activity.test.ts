import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
let orderId: string
/** One entry of each kind: a completed order, an open one, two moves, a reward, a correction. */
beforeAll(async () => {
  test = await createTestApp()
  customer = await test.customer()
  await keepDailyRates(test.app.context, await test.app.ports.rates.current())
  const { referralCode } = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
  orderId = await buy(customer, 19)
  const moves = ['transfer-from-spot-to-funding', 'transfer-from-funding-to-spot']
  for (const move of moves) {
    test.pass(60)
    const body = { currency: 'CPC', amount: '150000000000' }
    await test.send('POST', `/users/balance/${move}`, { token: customer.token, body })
  }
  test.pass(60)
  await buy(await test.customer({ referralCode }), 20)
  test.pass(60)
  await test.adjust([
    { source: customerAccount(customer.userId, 'spot'), destination: house('treasury'), currency: 'CPC', amount: 5n }
  ])
  test.pass(60)
  await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 83, bankAccountId: 1 } })
})
afterAll(() => test.close())

async function buy(who: Customer, comboConfigId: number): Promise<string> {
  const body = { comboConfigId, bankAccountId: 1 }
  const { id, euroToPay } = (await test.send('POST', '/orders/combo', { token: who.token, body })).body.data
  await test.arrive({ amountCents: BigInt(euroToPay.replace('.', '')), remittance: id })
  return id
}
const read = async (query = '', token = customer.token) =>
  (await test.send('GET', `/users/activity${query}`, { token })).body.data
const names = async (query = '') => (await read(query)).lines.map(({ name }: { name: string }) => name)

describe('the activity', () => {
  it('has the lines of every feature, newest first, each with its value at the time', async () => {
    const { lines, next } = await read()
    expect(lines.map(({ name, direction }: Record<string, string>) => `${name} ${direction}`)).toEqual([
      'order none',
      'adjustment out',
      'referral in',
      'move moved',
      'move moved',
      'order in'
    ])
    expect(next).toBeNull()
    expect(lines[3]).toMatchObject({
      currency: 'CPC',
      amount: '150000000000',
      valueCents: '7500',
      about: { from: 'funding', to: 'spot' }
    })
    expect(lines[5]).toMatchObject({ orderId, amount: '2000000000000', valueCents: '100000', about: { status: 2, configId: 19 } })
    expect(lines[2]).toMatchObject({ about: { ofCents: '250000' }, valueCents: '12500' })
    expect((await read('?in=EUR')).lines[3].valueCents).toBe('6900')
  })

  it('does not name the order of somebody invited', async () => {
    const [reward] = (await read('?kind=reward')).lines
    expect(reward.orderId).toBeNull()
    expect(JSON.stringify(reward)).not.toMatch(/RF\d{14}/)
  })

  it('is filtered by kind and token', async () => {
    expect(await names('?kind=transfer')).toEqual(['adjustment', 'move', 'move'])
    expect(await names('?kind=payment')).toEqual([])
    // All that is paid in or out.
    expect(await names('?kind=paid')).toEqual(['order', 'order'])
    expect(await names('?currency=PTC')).toEqual(['order'])
  })

  it('is searched by token, amount and order, whatever the spaces and commas', async () => {
    expect(await names('?search=1,500')).toEqual(['move', 'move'])
    expect(await names(`?search=${orderId.slice(0, 4)}%20${orderId.slice(4).toLowerCase()}`)).toEqual(['order'])
    expect(await names('?search=ptc')).toEqual(['order'])
    expect(await names('?search=invitee')).toEqual(['referral'])
    expect(await names('?search=%25')).toEqual([])
    expect(await names("?search='%20or%201=1")).toEqual([])
  })

  it('is paged without a gap or a repeat', async () => {
    const found: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page = await read(`?limit=2${next ? `&before=${encodeURIComponent(next)}` : ''}`)
      found.push(...page.lines.map(({ id }: { id: string }) => id))
      next = page.next
    }
    expect(found).toHaveLength(6)
    expect(new Set(found).size).toBe(6)
  })

  it.each(['2026-02-30T10:00:00.000Z_x', '0000-01-01T00:00:00.000Z_x', '1969-12-31T23:59:59.999Z_x'])(
    'of an impossible time (%s) is a wrong field, and no fault',
    async (before) => {
      const answer = await test.send('GET', `/users/activity?before=${before}`, { token: customer.token })
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_fields' } })
    }
  )

  it('is nobody else’s', async () => {
    const other = await test.customer()
    expect((await read('', other.token)).lines).toEqual([])
  })
})
