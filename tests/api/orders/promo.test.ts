/** The promo code, the packages it unlocks, and their bonus from the order to the last release. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROMOTION_WINDOWS, packageById } from '#lib/domain/orders/packages.ts'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { AlreadyBookedError, verifyLedger } from '#lib/server/ledger/index.ts'
import { orderHandlers } from '#lib/server/orders/index.ts'
import { cancelPayouts, payDue, reclaimTokens } from '#lib/server/staking/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
const CODE = 'ANNIVERSARY'
/** The $1,000 packages of the promotion's first and last window. */
const FIRST = 121
const LAST = 146

/** An application whose clock stands at `moment`; `go` moves it. */
async function appAt(moment: string, env: Record<string, string> = {}): Promise<TestApp & { go: (to: string) => void }> {
  let now = new Date(moment)
  const test = await createTestApp({ env, clock: () => now })
  return {
    ...test,
    go: (to) => {
      now = new Date(to)
    }
  }
}

const enter = (test: TestApp, { token }: Customer, code = CODE) => test.send('POST', '/orders/promo', { token, body: { code } })
const offer = (test: TestApp, customer: Customer) => test.ask(customer, 'getBonusOffer')
const order = (test: TestApp, { token }: Customer, comboConfigId: number) =>
  test.send('POST', '/orders/combo', { token, body: { comboConfigId, bankAccountId: 1 } })

describe('a promo code', () => {
  let test: TestApp
  let customer: Customer
  beforeAll(async () => {
    test = await createTestApp({ env: { LIMIT_SCALE: '1' } })
    customer = await test.customer()
  })
  afterAll(() => test.close())

  it.each(['', '   '])('that is empty is asked for: "%s"', async (code) => {
    expect(await enter(test, customer, code)).toMatchObject({ status: 422, body: { fields: { code: 'promo_required' } } })
  })

  it.each(['anniversary', 'ANNIVERSARY2', 'A', 'ANNIVERSAR', '😀'])('that is another does not exist: "%s"', async (code) => {
    expect(await enter(test, customer, code)).toMatchObject({
      status: 400,
      body: { code: 'promo_invalid', message: 'Promo code is not exist' }
    })
    await expect(offer(test, customer)).rejects.toMatchObject({ failure: { code: 'promo_needed' } })
    expect((await order(test, customer, LAST)).body.code).toBe('promo_needed')
    const preview = await test.send('GET', `/orders/combo/preview/${LAST}`, { token: customer.token })
    expect(preview).toMatchObject({ status: 403, body: { code: 'promo_needed' } })
  })

  it('opens the packages, whatever white space is around it, to this customer alone', async () => {
    expect((await enter(test, customer, ` ${CODE} `)).status).toBe(200)
    expect((await enter(test, customer)).status).toBe(200)
    expect((await offer(test, customer)).packages).toHaveLength(5)
    await expect(offer(test, await test.customer())).rejects.toMatchObject({ failure: { code: 'promo_needed' } })
  })

  it('is not guessed: fifteen tries in ten minutes', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries < 16; tries += 1) statuses.push((await enter(test, customer, `CODE${tries}`)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('a code that is changed', () => {
  it('closes the packages to who entered the one before', async () => {
    const test = await createTestApp()
    const customer = await test.customer()
    await enter(test, customer)
    const { context, ports } = test.app
    const { getBonusOffer } = orderHandlers(context, { rates: ports.rates, bank: ports.bank.details, promoCode: 'SUMMER' })
    await expect((async () => getBonusOffer({ customer } as never))()).rejects.toMatchObject({ code: 'promo_needed' })
    await test.close()
  })
})

describe('the windows', () => {
  let test: Awaited<ReturnType<typeof appAt>>
  let customer: Customer
  beforeAll(async () => {
    test = await appAt('2025-05-02T12:00:00Z')
    customer = await test.customer()
    await enter(test, customer)
  })
  afterAll(() => test.close())

  it('are told with their ends, and nothing is sold before the first', async () => {
    const { windows, packages } = await offer(test, customer)
    expect(packages).toEqual([])
    expect(windows.map(({ rate }: { rate: number }) => rate)).toEqual([2000, 1800, 1600, 1400, 1200, 1000])
    expect(windows[0]).toMatchObject({ startsAt: '2025-05-03T00:00:00.000Z', endsAt: '2025-05-13T00:00:00.000Z' })
    expect(windows[5].endsAt).toBeNull()
  })

  it.each(PROMOTION_WINDOWS.map((window, index) => ({ ...window, index })))(
    'of $startsOn: its first second sells it and the one before does not; its last second still does',
    async ({ startsOn, rateHundredths, index }) => {
      const id = FIRST + index * 5
      const opens = Date.parse(`${startsOn}T00:00:00Z`)
      const closes = Date.parse(`${PROMOTION_WINDOWS[index + 1]?.startsOn}T00:00:00Z`)
      const at = async (moment: number) => {
        test.go(new Date(moment).toISOString())
        return test.ask(customer, 'previewCombo', { params: { id } })
      }
      const refusal = { failure: { code: 'package_not_on_sale', message: 'This package is not on sale at the moment.' } }
      await expect(at(opens - 1)).rejects.toMatchObject(refusal)
      expect(await at(opens)).toMatchObject({ stakingRateBonus: rateHundredths, stakingRateDefault: 0, ptcPrice: '0.0006' })
      expect((await offer(test, customer)).packages.map((config: { id: number }) => config.id)).toEqual([
        id,
        id + 1,
        id + 2,
        id + 3,
        id + 4
      ])
      if (Number.isNaN(closes)) {
        expect(await at(Date.parse('2031-01-01T00:00:00Z'))).toMatchObject({ stakingRateBonus: 1000 })
        return
      }
      expect(await at(closes - 1)).toMatchObject({ stakingRateBonus: rateHundredths })
      await expect(at(closes)).rejects.toMatchObject(refusal)
      const late = await test
        .ask(customer, 'createOrder', { body: { comboConfigId: id, bankAccountId: 1 } })
        .catch((error) => error)
      expect(late).toMatchObject(refusal)
    }
  )
})

describe('the bonus', () => {
  it('is locked when the payment arrives, and released from month 13 to 32 and not before', async () => {
    const test = await createTestApp()
    const customer = await test.customer()
    await enter(test, customer)
    const { body } = await order(test, customer, LAST)
    const { id, euroToPay, ptcAmount, ptcBonusAmount } = body.data
    // $1,000 at 0.0006, and 10 % of it, rounded down.
    expect({ ptcAmount, ptcBonusAmount }).toEqual({ ptcAmount: '166666666666666', ptcBonusAmount: '16666666666666' })
    expect(body.data).toMatchObject({ stakingRateBonus: 1000, stakingRateDefault: 0, stakingMonth: 0, bonusReleases: null })
    await test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')), bookedOn: '2026-11-21' })

    const ptc = async () => (await test.ask(customer, 'getBalance')).PTC
    expect(await ptc()).toMatchObject({
      mainBalance: ptcAmount,
      lockedBalance: ptcBonusAmount,
      stakedBalance: '0',
      totalBalance: (BigInt(ptcAmount) + BigInt(ptcBonusAmount)).toString()
    })
    const read = await test.ask(customer, 'getOrder', { params: { id } })
    expect(read).toMatchObject({
      stakingEndsAt: null,
      bonusReleases: { first: '2027-12-21T00:00:00.000Z', last: '2029-07-21T00:00:00.000Z' }
    })
    expect((await test.mailsTo(customer.email)).map(({ text }) => text).join()).toContain('166,666.66666666 PTC')
    // The bonus is not a stake: the staking total and list leave it out.
    expect((await test.ask(customer, 'getStakingTotal')).orders).toBe(0)
    expect((await test.ask(customer, 'listStakes', {})).total).toBe(0)

    const payAt = async (days: number) => {
      test.pass(days * DAY)
      await payDue(test.app.context)
      return BigInt((await ptc()).lockedBalance)
    }
    const whole = BigInt(ptcBonusAmount)
    const part = whole / 20n
    // Nothing is released after 12 months (365 days), nor on the day before month 13 ends.
    expect(await payAt(365)).toBe(whole)
    expect(await payAt(29)).toBe(whole)
    expect(await payAt(1)).toBe(whole - part)
    expect(await payAt(31)).toBe(whole - 2n * part)
    expect((await test.mailsTo(customer.email)).filter(({ subject }) => subject.includes('of your bonus'))).toHaveLength(2)
    expect(await payAt(517)).toBe(whole - 19n * part)
    expect((await test.verifyLedger()).problems).toEqual([])
    // The last release includes the remainder of rounding.
    expect(await payAt(31)).toBe(0n)
    expect((await ptc()).mainBalance).toBe((BigInt(ptcAmount) + whole).toString())
    expect((await test.verifyLedger()).problems).toEqual([])
    await test.close()
  })

  it('is not promised any more once an operator has ended it', async () => {
    const test = await createTestApp()
    const customer = await test.customer()
    await enter(test, customer)
    const { id, euroToPay } = (await order(test, customer, LAST)).body.data
    await test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
    expect(await cancelPayouts(test.app.context, { orderId: id, actor: { kind: 'staff', id: 'anna' }, why: 'Taken back.' })).toBe(
      20
    )
    expect(await test.ask(customer, 'getOrder', { params: { id } })).toMatchObject({
      bonusReleases: null,
      payoutsEndedAt: expect.any(String)
    })
    const { payouts } = await test.ask(customer, 'getStake', { params: { id } })
    expect(payouts.every(({ cancelledAt }: { cancelledAt: string | null }) => cancelledAt !== null)).toBe(true)
    test.pass(400 * DAY)
    expect(await payDue(test.app.context)).toBe(0)
    // The bonus stays locked until an operator takes it back, which works once; the bought tokens stay the customer's.
    const take = () => reclaimTokens(test.app.context, { orderId: id, actor: { kind: 'staff', id: 'anna' }, why: 'Taken back.' })
    expect((await test.verifyLedger()).problems.join()).toContain('`staked` or `locked` is not what payouts are still to return')
    expect(await take()).toEqual({ currency: 'PTC', units: 16_666_666_666_666n })
    await expect(take()).rejects.toBeInstanceOf(AlreadyBookedError)
    expect((await test.ask(customer, 'getBalance')).PTC).toMatchObject({ lockedBalance: '0', mainBalance: '166666666666666' })
    expect((await test.verifyLedger()).problems).toEqual([])
    await test.close()
  })

  it('that is forged is found', async () => {
    const test = await createTestApp()
    const customer = await test.customer()
    await enter(test, customer)
    const { body } = await order(test, customer, LAST)
    await test.arrive({ remittance: body.data.id, amountCents: BigInt(body.data.euroToPay.replace('.', '')) })
    const { db } = test.app.context
    for (const [change, says] of [
      ['update orders set bonus_units = bonus_units + 1', 'the bonus of an order is not what was booked as locked'],
      ["update payouts set due_at = due_at - interval '1 month' where number = 3", 'a bonus or its releases are not those'],
      ['update payouts set units = units + 1 where number = 20', 'a bonus or its releases are not those']
    ] as const) {
      const forged = db.transaction(async (tx) => {
        await tx.execute('alter table payouts disable trigger all')
        await tx.execute(change)
        throw new Error((await verifyLedger(tx as never, ledgerChecks)).problems.join())
      })
      await expect(forged).rejects.toThrow(says)
    }
    await test.close()
  })

  it('belongs to the promotion alone', () => {
    expect(packageById(82)?.bonusRateHundredths).toBe(0)
    expect(packageById(FIRST)?.bonusRateHundredths).toBe(2000)
  })
})
