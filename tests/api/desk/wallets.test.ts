/** Hot wallets and cold storage at the desk: moves and refills that persons agree on, carried out by the signer and the worker. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAINS, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import type { Refilling } from '#lib/server/chains/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { moveToCold, watchCustody, workOnRefills } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { COLD_ENV, prove, signSandbox } from '#support/cold.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'The day needs it'
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let desk: ReturnType<typeof deskOf>
let ada: Member
let bela: Member
let finn: Member
let fred: Member

beforeAll(async () => {
  test = await createTestApp({ env: { ...COLD_ENV, HOT_WALLET_CEILING_USD: '900000000' } })
  w = withdrawalsOf(test)
  await w.stock()
  desk = deskOf(test)
  const admins = await desk.admins()
  ;[ada, bela] = admins
  finn = await desk.member(admins, 'Finn', ['finance'])
  fred = await desk.member(admins, 'Fred', ['finance'])
  for (const chain of CHAINS) {
    const [signing, wallet] = [await test.app.chains.signingOf?.(chain), await test.app.ports.coldWallet(chain)]
    if (signing && wallet) await prove(signing.journal, wallet)
  }
})
beforeEach(async () => {
  test.pass(25 * 3600)
  for (const one of [ada, bela, finn, fred]) await desk.signIn(one)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const compare = async (token: ChainToken) => {
  const { context, chains, ports } = test.app
  await w.follow(chainOf(token))
  await watchCustody(context, chainOf(token), {
    nodeOf: ports.chainNode,
    rates: ports.rates,
    ceilingCents: chains.ceilingCents,
    floors: chains.cold.floors,
    confirmations: { BTC: 3, ETH: 12, USDC: 12, CPC: 10 },
    proof: chains.deposits.proof
  })
}
const wallets = async () => (await finn.call('getWallets')).body.data
const walletOf = async (currency: ChainToken) =>
  (await wallets()).wallets.find((one: { currency: string }) => one.currency === currency)
const propose = (by: Member, name: 'proposeColdMove' | 'proposeRefill', amount: string, currency: ChainToken = 'USDC') =>
  by.call(name, { params: { currency }, body: { amount, why } })
const approve = (by: Member, id: string) => by.call('approveProposal', { params: { id }, body: { why } })
async function decided(name: 'proposeColdMove' | 'proposeRefill', amount: string, currency: ChainToken = 'USDC') {
  const { proposalId } = (await propose(finn, name, amount, currency)).body.data
  expect((await approve(fred, proposalId)).status).toBe(200)
}
/** `ceilingCents`: what the hot wallets may hold; what is above it moves by itself. */
async function runSigner(ceilingCents = test.app.chains.cold.ceilingCents) {
  const signing = await test.app.chains.signingOf?.('ethereum')
  if (!signing) throw new Error('The sandbox signs')
  await w.follow('ethereum')
  await moveToCold(test.app.context, { ...test.app.chains.cold, ceilingCents }, signing)
}
const colds = async () =>
  rowsOf<{ id: string; amount: string }>(
    await test.app.context.db.execute(
      sql`select id, amount::text from chain_sends where purpose = 'cold' and currency = 'USDC' order by signed_at`
    )
  )
const refillingOf = async (chain: 'bitcoin' | 'ethereum' | 'cpc'): Promise<Refilling> => {
  const wallet = await test.app.ports.coldWallet(chain)
  if (!wallet) throw new Error('The settings name cold storage')
  return {
    node: await test.app.ports.chainNode(chain),
    format: await test.app.ports.refillFormat(chain),
    proof: test.app.chains.deposits.proof,
    confirmations: { BTC: 3, ETH: 12, USDC: 12, CPC: 10 },
    wallet
  }
}
const work = () => workOnRefills(test.app.context, refillingOf)
const newestRefill = async () => (await wallets()).refills[0]

describe('the hot wallets', () => {
  it('are shown by the last comparison with the chain, with their band', async () => {
    expect(await walletOf('USDC')).toMatchObject({ state: 'unknown', hot: null })
    await compare('USDC')
    const shown = await walletOf('USDC')
    expect(shown).toMatchObject({
      chain: 'ethereum',
      cold: '0',
      open: '0',
      state: 'in_band',
      floor: units('USDC', 10_000).toString()
    })
    expect(BigInt(shown.hot)).toBeGreaterThan(0n)
    const { books } = (await finn.call('getOverview')).body.data
    const ofUsdc = { state: 'equal', difference: '0' }
    expect(books.find((one: { currency: string }) => one.currency === 'USDC')).toMatchObject(ofUsdc)
    // Coins that arrive after the comparison: the figures beside each other are not equal any more.
    const customer = await test.customer()
    await w.pay('ethereum', { address: await w.addressFor(customer, 'USDC'), token: 'USDC', amount: units('USDC', 50) })
    await w.confirm('ethereum')
    const { books: later } = (await finn.call('getOverview')).body.data
    expect(later.find((one: { currency: string }) => one.currency === 'USDC')).toMatchObject({ ...ofUsdc, state: 'moved' })
    await compare('USDC')
    const { books: again } = (await finn.call('getOverview')).body.data
    expect(again.find((one: { currency: string }) => one.currency === 'USDC')).toMatchObject(ofUsdc)
  })
})

describe('a move to cold storage', () => {
  it('is made by the signer once two persons want it, once', async () => {
    expect((await propose(ada, 'proposeColdMove', '5000')).body.code).toBe('right_missing')
    expect((await propose(finn, 'proposeColdMove', '0')).body.code).toBe('wallet_refused')
    await runSigner()
    expect(await colds()).toEqual([])
    await decided('proposeColdMove', '5000')
    expect((await wallets()).moves[0]).toMatchObject({ state: 'waits', persons: ['Finn', 'Fred'] })
    await runSigner()
    await runSigner()
    expect(await colds()).toEqual([{ id: expect.any(String), amount: units('USDC', 5_000).toString() }])
    await w.carryOut('USDC')
    await runSigner()
    expect(await colds()).toHaveLength(1)
    expect((await wallets()).moves[0]).toMatchObject({ state: 'confirmed' })
  })

  it('is made by what moves by itself, where that is as much, and not once more', async () => {
    test.pass(1)
    await decided('proposeColdMove', '3')
    const before = (await colds()).length
    await runSigner(1n)
    await w.carryOut('USDC')
    expect((await colds()).length - before).toBe(1)
    expect(BigInt((await colds()).at(-1)?.amount ?? 0)).toBeGreaterThan(units('USDC', 3))
    expect((await wallets()).moves[0]).toMatchObject({ state: 'confirmed' })
    await runSigner()
    expect((await colds()).length - before).toBe(1)
    await w.stock()
    await w.carryOut('USDC')
  })

  it('leaves what the floor needs, and lapses after a day', async () => {
    await decided('proposeColdMove', '900000000')
    await runSigner()
    await w.carryOut('USDC')
    await compare('USDC')
    expect(BigInt((await walletOf('USDC')).hot)).toBeGreaterThanOrEqual(units('USDC', 10_000))
    test.pass(1)
    await decided('proposeColdMove', '1')
    test.pass(25 * 3600)
    const before = (await colds()).length
    await runSigner()
    expect(await colds()).toHaveLength(before)
    await desk.signIn(finn)
    expect((await wallets()).moves[0]).toMatchObject({ state: 'lapsed' })
  })
})

describe('a refill', () => {
  it('takes two of finance and an admin, an offline signature, and is paid once', async () => {
    expect((await propose(finn, 'proposeRefill', '900000000')).body.data ?? {}).toEqual({})
    // The cold account pays the network's fee, too.
    await decided('proposeColdMove', '1', 'ETH')
    await runSigner()
    await w.carryOut('ETH')
    await decided('proposeRefill', '1000')
    const { id } = await newestRefill()
    await work()
    expect(await newestRefill()).toMatchObject({ state: 'for_third', persons: ['Finn', 'Fred'] })
    const step = (by: Member, name: 'agreeRefill' | 'endRefill') => by.call(name, { params: { id }, body: { why } })
    expect((await step(finn, 'agreeRefill')).body.code).toBe('right_missing')
    expect((await finn.call('downloadRefill', { params: { id } })).body.code).toBe('refill_not_open')
    expect((await step(ada, 'agreeRefill')).status).toBe(200)
    expect((await step(bela, 'agreeRefill')).body.code).toBe('refill_not_open')
    await work()
    expect(await newestRefill()).toMatchObject({
      state: 'to_sign',
      persons: ['Finn', 'Fred', 'Ada'],
      pays: expect.arrayContaining([expect.stringContaining('1,000 USDC to our hot wallet')])
    })
    const { content } = (await finn.call('downloadRefill', { params: { id } })).body.data
    const upload = (file: Uint8Array) =>
      finn.call('uploadRefill', { params: { id }, body: { name: 'signed.json', file: Buffer.from(file).toString('base64') } })
    // Not signed, another amount, then as it should be.
    await upload(Buffer.from(content, 'base64'))
    await work()
    expect(await newestRefill()).toMatchObject({ state: 'refused', refusal: 'The transaction is not signed.' })
    const other = signSandbox(Buffer.from(content, 'base64'), (one) => {
      for (const payment of one.payments) payment.amount = '1'
    })
    await upload(other)
    await work()
    expect((await newestRefill()).refusal).toContain('which was agreed')
    const signed = signSandbox(Buffer.from(content, 'base64'))
    expect((await upload(signed)).status).toBe(200)
    await work()
    expect(await newestRefill()).toMatchObject({ state: 'accepted', refusal: null, transactionId: expect.any(String) })
    expect((await upload(signed)).body.code).toBe('refill_not_open')
    await w.mine('ethereum', 12)
    const { sends } = (await finn.call('listSends', { query: { chain: 'ethereum' } })).body.data
    expect(sends).toContainEqual(
      expect.objectContaining({ purpose: 'refill', amount: units('USDC', 1_000).toString(), state: 'confirmed' })
    )
    // The same file for another refill is no second payment.
    test.pass(1)
    await decided('proposeRefill', '1000')
    const next = (await newestRefill()).id
    await ada.call('agreeRefill', { params: { id: next }, body: { why } })
    await work()
    await finn.call('uploadRefill', {
      params: { id: next },
      body: { name: 'signed.json', file: Buffer.from(signed).toString('base64') }
    })
    await work()
    expect((await newestRefill()).refusal).toContain('accepted before')
    expect((await finn.call('endRefill', { params: { id: next }, body: { why } })).status).toBe(200)
    expect(await newestRefill()).toMatchObject({ state: 'ended' })
  })
})

describe('what a review with fresh eyes has found', () => {
  const ordered = async (values: string) =>
    test.app.context.db.execute(
      sql.raw(`insert into cold_orders (id, currency, amount, decided_by, approved_by, why, ordered_at) values ${values}`)
    )
  const now = () => test.app.context.clock().toISOString()

  it('a row that names a withdrawal’s payment does not take its place', async () => {
    await w.carryOut('USDC')
    const customer = await test.customer()
    await w.fund(customer, 'USDC', units('USDC', 50))
    const id = await w.confirmed(customer, 'USDC', units('USDC', 40))
    await ordered(`('${id}', 'USDC', 1, 'a', 'b', 'x', '${now()}')`)
    await runSigner()
    await w.carryOut('USDC')
    await w.carryOut('USDC')
    expect((await w.list(customer))[0]).toMatchObject({ state: 'confirmed' })
  })

  it.each(["'NaN'", '-1', '1e40'])('an amount of %s is no row', async (amount) => {
    const id = '00000000-0000-4000-8000-00000000000a'
    await expect(ordered(`('${id}', 'USDC', ${amount}, 'a', 'b', 'x', '${now()}')`)).rejects.toThrow()
  })

  it('a refill that pays more, or somebody else, is not accepted, and one that cannot be read holds up no other', async () => {
    await decided('proposeRefill', '500')
    const { id } = await newestRefill()
    await ada.call('agreeRefill', { params: { id }, body: { why } })
    await work()
    const { content } = (await finn.call('downloadRefill', { params: { id } })).body.data
    const upload = (file: Uint8Array) =>
      finn.call('uploadRefill', { params: { id }, body: { name: 'signed.json', file: Buffer.from(file).toString('base64') } })
    const altered = (change: (payment: { address: string; amount: string }) => void) =>
      signSandbox(Buffer.from(content, 'base64'), (one) => {
        for (const payment of one.payments) change(payment)
      })
    for (const file of [altered((one) => (one.amount = '999000000')), altered((one) => (one.address = '0xdead'))]) {
      await upload(file)
      await work()
      expect((await newestRefill()).state).toBe('refused')
    }
    const { rows } = (await test.app.context.db.execute(sql`select signed from refill_orders where id = ${id}`)) as unknown as {
      rows: { signed: string | null }[]
    }
    expect(rows[0]?.signed, 'nothing signed lies about').toBeNull()
    expect((await newestRefill()).hotWallet).toMatch(/^0x/)
    await upload(altered((one) => (one.amount = 'x')))
    test.pass(1)
    await decided('proposeRefill', '400')
    const next = (await newestRefill()).id
    await ada.call('agreeRefill', { params: { id: next }, body: { why } })
    await work().catch(() => undefined)
    expect(await newestRefill()).toMatchObject({ id: next, state: 'to_sign' })
    for (const one of [id, next]) await finn.call('endRefill', { params: { id: one }, body: { why } })
  })

  it('a refill of persons who were stopped since is not agreed to', async () => {
    await decided('proposeRefill', '300')
    const { id } = await newestRefill()
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = now() where id = ${fred.id}`)
    expect((await ada.call('agreeRefill', { params: { id }, body: { why } })).body.code).toBe('refill_not_open')
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = null where id = ${fred.id}`)
  })
})
