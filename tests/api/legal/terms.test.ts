import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_TERMS, ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { termsAcceptances } from '#lib/server/access/schema.ts'
import { currentTerms } from '#lib/server/legal/index.ts'
import { orders } from '#lib/server/orders/schema.ts'
import { type Customer, createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
  customer = await test.signUp()
})
afterAll(() => test.close())

const toAccept = async (token: string) =>
  (await test.send('GET', '/users/profile', { token })).body.data.termsToAccept.map(({ name }: { name: string }) => name)
const acceptances = (userId: string) =>
  test.app.context.db.select().from(termsAcceptances).where(eq(termsAcceptances.userId, userId))

/** An account confirmed in another browser than the one that sent the sign-up form. */
async function signUpElsewhere(): Promise<{ token: string; userId: string }> {
  const email = `${crypto.randomUUID()}@example.com`
  await test.send('POST', '/users/signup', { body: { email, password: PASSWORD, phone: '+43 660 1234567' } })
  const { body } = await test.send('POST', '/users/signup/verify', { body: { email, token: await test.codeFor(email) } })
  const { token } = body.data
  return { token, userId: (await test.send('GET', '/users/profile', { token })).body.data.userId }
}

describe('a sign-up', () => {
  it('keeps the versions that stood beside its button', async () => {
    const kept = await acceptances(customer.userId)
    expect(Object.fromEntries(kept.map(({ document, version }) => [document, version]))).toEqual(currentTerms(ACCOUNT_TERMS))
    expect(await toAccept(customer.token)).toEqual([])
  })

  it('that was confirmed from another browser is asked, because nobody saw the terms there', async () => {
    const { token, userId } = await signUpElsewhere()
    expect(await acceptances(userId)).toEqual([])
    expect(await toAccept(token)).toEqual([...ACCOUNT_TERMS])
  })
})

describe('a change', () => {
  it('asks again for what changed, until it is accepted', async () => {
    const { token, userId } = await signUpElsewhere()
    const { db, clock } = test.app.context
    const current = currentTerms(ACCOUNT_TERMS)
    const older = { ...current, 'custody-policy': '0.9' }
    await db
      .insert(termsAcceptances)
      .values(Object.entries(older).map(([document, version]) => ({ userId, document, version, acceptedAt: clock() })))
    expect(await toAccept(token)).toEqual(['custody-policy'])
    const outdated = await test.send('POST', '/users/terms', { token, body: { versions: { 'custody-policy': '0.9' } } })
    expect(outdated.body).toMatchObject({ statusCode: 409, code: 'terms_changed' })
    expect(await toAccept(token)).toEqual(['custody-policy'])
    const versions = { 'custody-policy': current['custody-policy'] }
    for (const _ of [1, 2]) expect((await test.send('POST', '/users/terms', { token, body: { versions } })).status).toBe(200)
    expect(await toAccept(token)).toEqual([])
    expect(await acceptances(userId)).toHaveLength(4)
  })

  it('of nothing that we know is refused', async () => {
    for (const versions of [{ 'crypto-asset-terms': '1.1' }, { nothing: '1' }])
      expect((await test.send('POST', '/users/terms', { token: customer.token, body: { versions } })).body.code).toBe(
        'invalid_fields'
      )
  })

  it('never touches what was accepted before', async () => {
    const { db } = test.app.context
    const mine = and(eq(termsAcceptances.userId, customer.userId), eq(termsAcceptances.document, 'privacy-policy'))
    await expect(db.update(termsAcceptances).set({ version: '9' }).where(mine)).rejects.toThrow()
    await expect(db.delete(termsAcceptances).where(mine)).rejects.toThrow()
  })
})

describe('an order', () => {
  const order = async (comboConfigId: number) =>
    (await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId, bankAccountId: 1 } })).body.data
  const accept = (id: string, token = customer.token, versions: object = currentTerms(ORDER_TERMS)) =>
    test.send('POST', `/orders/combo/${id}/terms`, { token, body: { versions } })

  it('keeps the versions that were accepted for it, and when; the first time counts', async () => {
    const { id, termsAcceptedAt } = await order(82)
    expect(termsAcceptedAt).toBeNull()
    const first = (await accept(id)).body.data
    expect(first.acceptedTerms).toEqual(currentTerms(ORDER_TERMS))
    test.pass(60)
    expect((await accept(id)).body.data.termsAcceptedAt).toBe(first.termsAcceptedAt)
    const paid = await test.send('PATCH', `/orders/combo/${id}/purchase`, { token: customer.token, body: { orderComboId: id } })
    expect(paid.body.data.termsAcceptedAt).toBe(first.termsAcceptedAt)
  })

  it('does not keep versions that the customer was not shown, and a cancelled one keeps none', async () => {
    const { id } = await order(85)
    const old = { ...currentTerms(ORDER_TERMS), 'custody-terms': '1.0' }
    expect((await accept(id, customer.token, old)).body.code).toBe('terms_changed')
    await test.send('POST', `/orders/combo/${id}/cancel`, { token: customer.token, body: {} })
    expect((await accept(id)).body.data.termsAcceptedAt).toBeNull()
  })

  it('that is declared paid through the API keeps those that were accepted, and makes up none', async () => {
    const { id } = await order(83)
    const { body } = await test.send('PATCH', `/orders/combo/${id}/purchase`, {
      token: customer.token,
      body: { orderComboId: id }
    })
    expect(body.data).toMatchObject({ acceptedTerms: null, termsAcceptedAt: null, announcedAt: expect.any(String) })
    const other = await order(84)
    const accepted = (await accept(other.id)).body.data
    const paid = await test.send('PATCH', `/orders/combo/${other.id}/purchase`, {
      token: customer.token,
      body: { orderComboId: other.id }
    })
    expect(paid.body.data).toMatchObject({
      acceptedTerms: currentTerms(ORDER_TERMS),
      termsAcceptedAt: accepted.termsAcceptedAt
    })
  })

  it('of somebody else cannot be accepted', async () => {
    const { id } = await order(84)
    const stranger = await test.signUp()
    expect((await accept(id, stranger.token)).body.code).toBe('order_not_found')
    const [row] = await test.app.context.db.select().from(orders).where(eq(orders.id, id))
    expect(row?.termsAcceptedAt).toBeNull()
  })
})
