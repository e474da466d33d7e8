/** Rewards for invitations: they rest before they may be moved, go back with their payment, and nobody invites themselves. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { houseBalance } from '#lib/server/ledger/index.ts'
import { rewardDebts } from '#lib/server/referral/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

type Paid = { order: string; cents: bigint; entryId: string }
const codeOf = async (inviter: Customer) => (await test.ask(inviter, 'getProfile')).referralCode as string

/** An invitee buys and pays a package of $5,000: a reward of 5,000 CPC. */
async function buy(invitee: Customer): Promise<Paid> {
  const { id, euroToPay } = await test.ask(invitee, 'createOrder', { body: { comboConfigId: 19, bankAccountId: 1 } })
  const paid = { order: id as string, cents: BigInt(euroToPay.replace('.', '')), entryId: randomUUID() }
  await test.arrive({ entryId: paid.entryId, remittance: id, amountCents: paid.cents })
  return paid
}
const takeBack = ({ order, cents, entryId }: Paid) =>
  test.arrive({ direction: 'debit', amountCents: cents, takesBack: entryId, remittance: order })
async function invited(inviter: Customer): Promise<Customer> {
  return test.customer({ referralCode: await codeOf(inviter) })
}
const balances = async (customer: Customer) => {
  const { rewardBalance, mainBalance } = (await test.ask(customer, 'getBalance')).CPC
  return { reward: BigInt(rewardBalance), spot: BigInt(mainBalance) }
}
/** Moves to spot; the refusal, if there was one. By the id, because sessions end within 14 days. */
const move = async (customer: Customer, amount: bigint) => {
  try {
    await test.ask(customer, 'moveRewardToSpot', { body: { currency: 'CPC', amount: String(amount) } })
    return undefined
  } catch (error) {
    return (error as { failure: { code: string; message: string } }).failure
  }
}

describe('a reward', () => {
  it('is booked and shown at once, rests for 14 days, and says from when it may be moved', async () => {
    const inviter = await test.customer()
    await buy(await invited(inviter))
    const { reward } = await balances(inviter)
    expect(reward).toBeGreaterThan(0n)
    const [line] = await test.ask(inviter, 'listReferralRewards')
    expect(line).toMatchObject({ reward_amount: String(reward), takenBackAt: null, movableFrom: expect.any(String) })
    expect(await move(inviter, reward)).toMatchObject({ code: 'reward_resting' })
    expect((await move(inviter, 1n))?.message).toMatch(/^You can move 0 CPC now, and more from \d\d\.\d\d\.\d{4}: /)
    const mails = await test.mailsTo(inviter.email)
    expect(mails.map(({ text }) => text).join()).toMatch(/You can move it to spot from \d\d\.\d\d\.\d{4}/)
    test.pass(14 * DAY - 1)
    expect(await move(inviter, reward)).toMatchObject({ code: 'reward_resting' })
    test.pass(1)
    expect((await test.ask(inviter, 'listReferralRewards'))[0].movableFrom).toBeNull()
    expect(await move(inviter, reward)).toBeUndefined()
    expect(await balances(inviter)).toEqual({ reward: 0n, spot: reward })
  })

  it('rests alone: what was earned before may be moved, and nothing of the new one', async () => {
    const inviter = await test.customer()
    const invitee = await invited(inviter)
    await buy(invitee)
    const { reward: first } = await balances(inviter)
    test.pass(15 * DAY)
    await buy(invitee)
    expect(await move(inviter, first + 1n)).toMatchObject({ code: 'reward_resting' })
    expect(await move(inviter, first)).toBeUndefined()
    expect(await move(inviter, 1n)).toMatchObject({ code: 'reward_resting' })
  })

  it('goes back with its payment, once', async () => {
    const inviter = await test.customer()
    const paid = await buy(await invited(inviter))
    const before = await houseBalance(test.app.context.db, 'rewards', 'CPC')
    const { reward } = await balances(inviter)
    await takeBack(paid)
    expect((await balances(inviter)).reward).toBe(0n)
    expect((await houseBalance(test.app.context.db, 'rewards', 'CPC')) - before).toBe(reward)
    expect((await test.ask(inviter, 'listReferralRewards'))[0]).toMatchObject({
      movableFrom: null,
      takenBackAt: expect.any(String)
    })
  })

  it('that was moved already is a debt, which later rewards pay; withdrawals and trades go on', async () => {
    const inviter = await test.customer()
    const invitee = await invited(inviter)
    const paid = await buy(invitee)
    const { reward } = await balances(inviter)
    test.pass(14 * DAY)
    expect(await move(inviter, reward - 100n)).toBeUndefined()
    await takeBack(paid)
    expect(await balances(inviter)).toEqual({ reward: 0n, spot: reward - 100n })
    const debts = async () => (await rewardDebts(test.app.context.db)).filter(({ email }) => email === inviter.email)
    expect(await debts()).toMatchObject([{ orderId: paid.order, owed: reward - 100n }])
    const other = await invited(inviter)
    await buy(other)
    expect((await balances(inviter)).reward).toBe(100n)
    expect(await debts()).toEqual([])
    expect((await balances(inviter)).spot).toBe(reward - 100n)
  })
})

describe('inviting oneself', () => {
  it('and being checked only after the purchase earns nothing that can be moved', async () => {
    const person = { firstName: 'Mal', lastName: 'Lory', dob: '1970-01-01' }
    const inviter = await test.customer({ unverified: true })
    const invitee = await test.customer({ unverified: true, referralCode: await codeOf(inviter) })
    await test.decideIdentity(invitee, 'approve', person)
    await buy(invitee)
    test.pass(15 * DAY)
    const { reward } = await balances(inviter)
    expect(reward).toBeGreaterThan(0n)
    expect(await move(inviter, 1n)).toMatchObject({ code: 'kyc_required' })
    await test.decideIdentity(inviter, 'approve', person)
    expect(await move(inviter, 1n)).toMatchObject({ code: 'insufficient_reward' })
    // Checked again: what the first check found still counts.
    test.pass(10)
    await test.decideIdentity(invitee, 'again', person)
    expect(await move(inviter, 1n)).toMatchObject({ code: 'insufficient_reward' })
  })

  it.each([
    [
      { firstName: 'Jürgen', lastName: 'Müller' },
      { firstName: 'Juergen', lastName: 'Mueller' }
    ],
    [
      { firstName: 'Anna Maria', lastName: 'Groß' },
      { firstName: 'Anna', lastName: 'GROSS' }
    ]
  ])('in another spelling of the name, %o, earns nothing', async (one, other) => {
    const inviter = await test.customer({ unverified: true })
    const invitee = await test.customer({ unverified: true, referralCode: await codeOf(inviter) })
    await test.decideIdentity(inviter, 'approve', { ...one, dob: '1985-05-05' })
    await test.decideIdentity(invitee, 'approve', { ...other, dob: '1985-05-05' })
    await buy(invitee)
    expect((await balances(inviter)).reward).toBe(0n)
  })

  it('with the name and birth date of the own identity check earns nothing', async () => {
    const person = { firstName: 'Eve', lastName: 'Múller-Smith', dob: '1985-05-05' }
    const inviter = await test.customer({ unverified: true })
    const invitee = await test.customer({ unverified: true, referralCode: await codeOf(inviter) })
    await test.decideIdentity(inviter, 'approve', person)
    await test.decideIdentity(invitee, 'approve', { ...person, lastName: 'MULLER SMITH' })
    await buy(invitee)
    expect((await balances(inviter)).reward).toBe(0n)
    const namesake = await test.customer({ unverified: true, referralCode: await codeOf(inviter) })
    await test.decideIdentity(namesake, 'approve', { ...person, dob: '1985-05-06' })
    await buy(namesake)
    expect((await balances(inviter)).reward).toBeGreaterThan(0n)
  })
})
