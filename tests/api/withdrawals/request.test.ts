import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { UnavailableError } from '#lib/server/platform/errors.ts'
import { approveWithdrawal, rejectWithdrawal } from '#lib/server/withdrawals/index.ts'
import { olderForm } from '#support/bitcoinForms.ts'
import { untilWaiting } from '#support/lockWaits.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { operator, STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
})
beforeEach(async () => {
  customer = await test.customer()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})
const staff = { kind: 'staff', id: 'grace' } as const

describe('a request', () => {
  it('moves the whole amount to outgoing, spot first, and gives each part back to where it came from', async () => {
    await w.fund(customer, 'BTC', units('BTC', 0.005))
    await w.fund(customer, 'BTC', units('BTC', 0.01), 'funding')
    const asked = await w.ask(customer, 'BTC', units('BTC', 0.008))
    expect(asked).toMatchObject({
      status: 200,
      body: {
        data: {
          blockchain: 'BTC',
          currency: 'BTC',
          amount: '800000',
          fee: '3000',
          received: '797000',
          receiver: STRANGER.BTC,
          status: 'PENDING',
          state: 'unconfirmed',
          isCancellable: true
        }
      }
    })
    const all = units('BTC', 0.015)
    expect(await w.holding(customer, 'BTC')).toEqual({ spot: 0n, funding: 700_000n, outgoing: 800_000n, total: all })
    const { id } = asked.body.data
    const stranger = await test.customer()
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: stranger.token })).toMatchObject({ status: 404 })
    expect((await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).status).toBe(200)
    expect(await w.holding(customer, 'BTC')).toEqual({ spot: 500_000n, funding: 1_000_000n, outgoing: 0n, total: all })
    expect(await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })).toMatchObject({
      status: 409,
      body: { code: 'withdrawal_not_cancellable' }
    })
    expect(await w.list(customer)).toMatchObject([{ id, status: 'CANCELLED', state: 'cancelled' }])
  })

  it('with a key is one withdrawal however often it is sent', async () => {
    await w.fund(customer, 'ETH', units('ETH', 1))
    const ask = () => w.ask(customer, 'ETH', units('ETH', 0.1), { key: 'pressed-again' })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await w.list(customer)).toHaveLength(1)
    expect(await w.ask(customer, 'ETH', units('ETH', 0.2), { key: 'pressed-again' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' }
    })
  })

  it('is refused above spot plus funding, at zero, and where nothing would arrive, with the figure', async () => {
    await w.fund(customer, 'CPC', units('CPC', 100))
    expect(await w.ask(customer, 'CPC', units('CPC', 100.01))).toMatchObject({
      status: 422,
      body: { code: 'insufficient_balance', message: 'Insufficient Balance' }
    })
    expect(await w.ask(customer, 'CPC', 0n)).toMatchObject({ status: 422, body: { code: 'amount_invalid' } })
    expect(await w.ask(customer, 'CPC', units('CPC', 10))).toMatchObject({
      status: 422,
      body: { message: 'The smallest withdrawal is 10.00000001 CPC: the fee is 10 CPC.' }
    })
    expect((await w.ask(customer, 'CPC', units('CPC', 10) + 1n)).status).toBe(200)
    await w.fund(customer, 'BTC', units('BTC', 1))
    expect((await w.ask(customer, 'BTC', 3_545n)).body.message).toBe(
      'The smallest withdrawal is 0.00003546 BTC: the fee is 0.00003 BTC.'
    )
  })

  it.each([
    ['a testnet address', 'BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'address_network'],
    ['a mistyped segwit address', 'BTC', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt082', 'address_checksum'],
    ['an address of another chain', 'BTC', STRANGER.ETH, 'address_otherChain'],
    ['no address', 'BTC', 'to my wallet', 'address_form'],
    ['a mistyped capital', 'ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'address_checksum'],
    ['the zero address', 'ETH', '0x0000000000000000000000000000000000000000', 'address_zero'],
    ['the contract of the token', 'USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'address_token'],
    ['a swapped digit', 'CPC', STRANGER.CPC.replace(/-(.)(.)(.)/, '-$3$2$1'), 'address_checksum'],
    ['an account of another network', 'CPC', STRANGER.CPC.replace('CPC', 'NXT'), 'address_network']
  ] as const)('to %s is refused at its field', async (_, currency, to, code) => {
    await w.fund(customer, currency, units(currency, 50))
    expect(await w.ask(customer, currency, units(currency, currency === 'CPC' ? 20 : 5), { to })).toMatchObject({
      status: 422,
      body: { code: 'invalid_fields', fields: { address: code } }
    })
  })

  it('to their own address here or the hot wallet’s is refused; another customer’s is an address like any other', async () => {
    await w.fund(customer, 'CPC', units('CPC', 50))
    await w.fund(customer, 'BTC', units('BTC', 1))
    const other = await test.customer()
    const theirs = await w.addressFor(other, 'BTC')
    const own = await w.addressFor(customer, 'BTC')
    for (const to of [own, olderForm(own)])
      expect((await w.ask(customer, 'BTC', units('BTC', 0.01), { to })).body.fields).toEqual({ address: 'address_ours' })
    for (const to of [theirs, olderForm(theirs)])
      expect(await w.ask(customer, 'BTC', units('BTC', 0.002), { to })).toMatchObject({ status: 200 })
    const { addressMakers } = await import('#lib/server/chains/adapters/makers.ts')
    const { readConfig } = await import('#lib/server/app/config.ts')
    const { seed = new Uint8Array(), networks } = readConfig({}).chains
    const hot = addressMakers(seed, networks).bitcoin('hot', 0).address
    expect((await w.ask(customer, 'BTC', units('BTC', 0.01), { to: hot })).body.fields).toEqual({ address: 'address_ours' })
  })

  it('counts by the higher price while the price is in doubt: the receiver is asked for, and the limit of the day holds', async () => {
    const rich = await test.customer()
    await w.fund(rich, 'BTC', units('BTC', 1))
    const source = test.app.ports.rates
    const usual = source.current
    const rates = await usual()
    source.current = async () => ({ ...rates, doubted: { BTC: String(Number(rates.pricesUsd.values.BTC) * 2) } })
    expect(await w.ask(rich, 'BTC', units('BTC', 0.009))).toMatchObject({ body: { fields: { details: 'details_required' } } })
    const details = { party: 'self', name: 'Ada Lovelace' }
    expect(await w.ask(rich, 'BTC', units('BTC', 0.09), { details })).toMatchObject({ body: { code: 'withdrawal_limit' } })
    source.current = usual
  })

  it('of CPC is refused unless account, number and public key agree', async () => {
    await w.fund(customer, 'CPC', units('CPC', 50))
    const wrong = await w.ask(customer, 'CPC', units('CPC', 20), { publicKey: 'ab'.repeat(32) })
    expect(wrong).toMatchObject({ status: 422, body: { fields: { publicKey: 'public_key_wrong' } } })
    const body = {
      blockchain: 'CPCx0',
      amount: '2000000000',
      accountRs: STRANGER.CPC,
      accountId: '1',
      publicKey: STRANGER.publicKey
    }
    expect(await test.send('POST', '/users/withdraw/cpc/create', { token: customer.token, body })).toMatchObject({
      status: 422,
      body: { fields: { publicKey: 'public_key_wrong' } }
    })
  })

  it('needs a fresh proof, a completed check, and no rest or lock', async () => {
    await w.fund(customer, 'USDC', units('USDC', 50))
    const unchecked = await test.customer({ unverified: true })
    await w.fund(unchecked, 'USDC', units('USDC', 50))
    expect(await w.ask(unchecked, 'USDC', units('USDC', 10))).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
    const rested = await test.customer()
    await w.fund(rested, 'USDC', units('USDC', 50))
    await test.app.sandbox?.letTimePass(rested.email, 'rest')
    const { sql } = await import('drizzle-orm')
    await test.app.context.db.execute(
      sql`update users set withdrawals_rest_until = '2027-01-01T00:00:00Z' where id = ${rested.userId}`
    )
    expect(await w.ask(rested, 'USDC', units('USDC', 10))).toMatchObject({ status: 403, body: { code: 'withdrawals_resting' } })
    await test.app.context.db.execute(
      sql`update sessions set proved_at = '2020-01-01T00:00:00Z' where user_id = ${customer.userId}`
    )
    expect(await w.ask(customer, 'USDC', units('USDC', 10))).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' }
    })
    expect(await w.list(customer)).toEqual([])
  })

  it('is possible only while there is a price; one that was made is answered also without', async () => {
    let isPriced = false
    let isThere = true
    const poor = await createTestApp({
      ports: (ports) => ({
        ...ports,
        rates: {
          current: async () => {
            if (!isThere) throw new UnavailableError('There are no rates')
            const rates = await ports.rates.current()
            const { BTC, ...values } = rates.pricesUsd.values
            return { ...rates, pricesUsd: { ...rates.pricesUsd, values: { ...values, ...(isPriced && BTC && { BTC }) } } }
          }
        }
      })
    })
    const someone = await poor.customer()
    const theirs = withdrawalsOf(poor)
    await theirs.fund(someone, 'BTC', units('BTC', 1))
    const ask = () => theirs.ask(someone, 'BTC', units('BTC', 0.001), { key: 'pressed-again' })
    expect((await ask()).status).toBe(503)
    expect((await theirs.holding(someone, 'BTC')).outgoing).toBe(0n)
    isPriced = true
    const made = await ask()
    expect(made.status).toBe(200)
    isPriced = false
    expect(await ask()).toMatchObject({ status: 200, body: { data: made.body.data } })
    isThere = false
    expect(await ask()).toMatchObject({ status: 200, body: { data: made.body.data } })
    expect((await theirs.holding(someone, 'BTC')).outgoing).toBe(100_000n)
    await poor.close()
  })
})

describe('the limits', () => {
  const details = { party: 'self', name: 'Ada Lovelace' }

  it('of a customer hold for two requests at once that are each below it, and say what is left before', async () => {
    await w.fund(customer, 'USDC', units('USDC', 30_000))
    const rules = () => test.ask(customer, 'getWithdrawalRules')
    expect(await rules()).toMatchObject({ dayCents: '1000000', leftCents: '1000000', fees: { USDC: '3000000' } })
    const ask = () => w.ask(customer, 'USDC', units('USDC', 6_000), { details })
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'withdrawal_limit',
      message: 'You can withdraw $4,000.00 more within 24 hours. Your limit is $10,000.00.'
    })
    expect(await rules()).toMatchObject({ leftCents: '400000' })
    test.pass(24 * 3600 + 1)
    expect(await rules()).toMatchObject({ leftCents: '1000000' })
  })

  it('above EUR 1,000 ask for who receives it', async () => {
    await w.fund(customer, 'USDC', units('USDC', 5_000))
    expect(await w.ask(customer, 'USDC', units('USDC', 1_200))).toMatchObject({
      status: 422,
      body: { fields: { details: 'details_required' } }
    })
    expect((await w.ask(customer, 'USDC', units('USDC', 1_200), { details })).status).toBe(200)
    expect((await test.ask(customer, 'getWithdrawalRules')).linkedEuroCents).not.toBe('0')
    // Together they are above it: the second one names its receiver.
    expect((await w.ask(customer, 'USDC', units('USDC', 200))).body.fields).toEqual({ details: 'details_required' })
    expect((await w.ask(customer, 'USDC', units('USDC', 200), { details })).status).toBe(200)
  })

  it('above 5,000 let it wait for an operator, whose decision is kept; rejected, it is given back with the reason', async () => {
    await w.fund(customer, 'USDC', units('USDC', 20_000))
    const id = await w.confirmed(customer, 'USDC', units('USDC', 5_001), { details })
    expect((await w.list(customer))[0]).toMatchObject({ state: 'review', status: 'PENDING', isCancellable: true })
    await w.carryOut('USDC')
    expect((await w.list(customer))[0]).toMatchObject({ state: 'review' })
    expect(
      await approveWithdrawal(test.app.context, test.app.chains.withdrawals, { ...operator, id, why: 'Called the customer' })
    ).toBe('approved')
    expect(await approveWithdrawal(test.app.context, test.app.chains.withdrawals, { ...operator, id, why: 'Again' })).toBe(
      'not_waiting'
    )
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved' })
    expect(await rejectWithdrawal(test.app.context, { id, actor: staff, why: 'The customer told us to wait' })).toBe(true)
    expect((await w.list(customer))[0]).toMatchObject({
      state: 'rejected',
      status: 'CANCELLED',
      why: 'The customer told us to wait'
    })
    expect((await w.holding(customer, 'USDC')).spot).toBe(units('USDC', 20_000))
    const mails = await test.mailsTo(customer.email)
    expect(mails.map(({ text }) => text).join()).toContain('The customer told us to wait')
  })

  it('wait for the sender of several deposits of a day that are above EUR 1,000 together, also where no price of the day is kept', async () => {
    const other = await test.customer()
    const address = await w.addressFor(other, 'USDC')
    await w.pay('bitcoin', { address: await w.addressFor(other, 'BTC'), token: 'BTC', amount: 500_000n })
    await w.confirm('bitcoin')
    // Of another day, so that it is not linked with the others.
    await test.app.context.db.execute(sql`
      update deposits set booked_at = booked_at - interval '3 days' where user_id = ${other.userId}`)
    for (let count = 0; count < 3; count += 1) {
      await w.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 900) })
      await w.confirm('ethereum')
    }
    const kept = await test.app.context.db.execute(sql`select euro_cents from deposits where user_id = ${other.userId}`)
    expect(rowsOf<{ euro_cents: string | null }>(kept).map(({ euro_cents }) => euro_cents)).toEqual([null, null, null, null])
    expect(await w.ask(other, 'USDC', units('USDC', 10))).toMatchObject({ body: { code: 'deposit_details_required' } })
    // A question about one token stops that token only.
    // A question about one token stops that token only.
    expect((await w.ask(other, 'BTC', 100_000n)).status).toBe(200)
    expect((await test.ask(other, 'getWithdrawalRules')).depositsWithoutDetails).toHaveLength(3)
  })

  it('wait for the sender of a deposit above EUR 1,000', async () => {
    const address = await w.addressFor(customer, 'USDC')
    await w.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 2_000) })
    await w.confirm('ethereum')
    expect(await w.ask(customer, 'USDC', units('USDC', 10))).toMatchObject({
      status: 403,
      body: { code: 'deposit_details_required' }
    })
    const [{ id }] = (await test.ask(customer, 'getWithdrawalRules')).depositsWithoutDetails
    const stranger = await test.customer()
    const give = (token: string) =>
      test.send('POST', `/users/deposit/${id}/details`, {
        token,
        body: { party: 'self', name: 'Somebody Else', holder: 'service', service: 'Kraken' }
      })
    const unnamed = { party: 'self', holder: 'service' }
    expect(
      (await test.send('POST', `/users/deposit/${id}/details`, { token: customer.token, body: unnamed })).status,
      'a company needs its name'
    ).toBe(422)
    const early = await test.customer({ unverified: true })
    expect((await give(early.token)).body.code, 'nobody speaks for themselves before the check').toBe('kyc_required')
    expect((await give(stranger.token)).status).toBe(404)
    expect((await give(customer.token)).status).toBe(200)
    const kept = await test.app.context.db.execute(sql`select details from deposits where id = ${id}`)
    expect(rowsOf<{ details: object }>(kept)[0]?.details, 'the name of the check, whatever was sent').toEqual({
      party: 'self',
      name: 'Ada Lovelace',
      service: 'Kraken'
    })
    expect((await w.ask(customer, 'USDC', units('USDC', 10))).status).toBe(200)
  })
})

describe('an address', () => {
  it('that is new is confirmed by the link of a mail; the next withdrawal to it needs no mail', async () => {
    await w.fund(customer, 'CPC', units('CPC', 500))
    const first = await w.ask(customer, 'CPC', units('CPC', 50))
    expect(first.body.data.state).toBe('unconfirmed')
    await w.carryOut('CPC')
    expect((await w.list(customer))[0]).toMatchObject({ state: 'unconfirmed' })
    const token = await w.linkOf(customer)
    expect((await test.send('POST', '/users/withdraw/link', { body: { token } })).body.data).toMatchObject({
      receiver: STRANGER.CPC
    })
    expect((await w.answer(`${token}x`, true)).body.code).toBe('link_invalid')
    expect((await w.answer(token, true)).status).toBe(200)
    expect((await w.answer(token, true)).body.code).toBe('link_invalid')
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved' })
    expect((await w.ask(customer, 'CPC', units('CPC', 50))).body.data.state).toBe('approved')
  })

  it('that is not confirmed within 24 hours gives the amount back; so does cancelling by the link', async () => {
    const { expireUnconfirmed } = await import('#lib/server/withdrawals/decide.ts')
    await w.fund(customer, 'CPC', units('CPC', 500))
    await w.ask(customer, 'CPC', units('CPC', 50))
    expect((await w.answer(await w.linkOf(customer), false)).status).toBe(200)
    expect((await w.list(customer))[0]).toMatchObject({ state: 'cancelled' })
    test.pass(1)
    await w.ask(customer, 'CPC', units('CPC', 50))
    await expireUnconfirmed(test.app.context)
    expect((await w.list(customer))[0]).toMatchObject({ state: 'unconfirmed' })
    test.pass(24 * 3600 + 1)
    await expireUnconfirmed(test.app.context)
    expect((await w.list(customer))[0]).toMatchObject({ state: 'cancelled' })
    expect((await w.holding(customer, 'CPC')).spot).toBe(units('CPC', 500))
  })

  it.skipIf(process.env.ENGINE !== 'postgres')('that is confirmed while it expires stays confirmed', async () => {
    const { expireUnconfirmed } = await import('#lib/server/withdrawals/decide.ts')
    const { db } = test.app.context
    await w.fund(customer, 'CPC', units('CPC', 500))
    await w.ask(customer, 'CPC', units('CPC', 50))
    test.pass(24 * 3600 + 1)
    let expiring: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.execute(sql`update withdrawals set state = 'approved' where state = 'unconfirmed'`)
      expiring = expireUnconfirmed(test.app.context)
      await untilWaiting(db, 1, 'withdrawals')
    })
    await expiring
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved' })
  })

  it('must be on the whitelist while that is on; adding to it and switching it off wait 24 hours, with a mail', async () => {
    await w.fund(customer, 'ETH', units('ETH', 5))
    const post = (path: string, body: object) => test.send('POST', path, { token: customer.token, body })
    expect((await post('/users/withdraw/whitelist', { isOn: true })).status).toBe(200)
    const ask = () => w.ask(customer, 'ETH', units('ETH', 0.01))
    expect((await ask()).body.fields).toEqual({ address: 'address_not_listed' })
    const entry = { chain: 'ethereum', address: STRANGER.ETH, name: 'My ledger', isListed: true }
    expect((await post('/users/withdraw/addresses', entry)).status).toBe(200)
    expect((await ask()).body.fields).toEqual({ address: 'address_resting' })
    expect((await post('/users/withdraw/whitelist', { isOn: false })).status).toBe(200)
    expect((await test.ask(customer, 'getWithdrawalRules')).whitelist).toMatchObject({ isOn: true, endsAt: expect.any(String) })
    const subjects = (await test.mailsTo(customer.email)).map(({ subject }) => subject).join()
    expect(subjects).toContain('An address was added to your whitelist')
    expect(subjects).toContain('Your whitelist switches off in 24 hours')
    test.pass(24 * 3600 + 1)
    expect((await test.ask(customer, 'getWithdrawalRules')).whitelist).toEqual({ isOn: false, endsAt: null })
    const [kept] = await test.ask(customer, 'listWithdrawalAddresses')
    expect(kept).toMatchObject({ name: 'My ledger', address: STRANGER.ETH, isListed: true })
  })
})
