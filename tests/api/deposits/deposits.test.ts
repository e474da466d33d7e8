import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decideSuspended } from '#lib/server/deposits/index.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { chainsOf } from '#support/chains.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let chains: ReturnType<typeof chainsOf>
beforeAll(async () => {
  test = await createTestApp()
  chains = chainsOf(test)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const BTC = 100_000_000n
const houseHas = async (kind: string, currency: string) =>
  BigInt(
    rowsOf<{ sum: string }>(
      await test.app.context.db.execute(
        sql`select coalesce(sum(balance), 0)::text as sum from accounts where kind = ${kind} and currency = ${currency} and owner_id = '00000000-0000-0000-0000-000000000000'`
      )
    )[0]?.sum ?? 0
  )

describe('an address', () => {
  let customer: Customer
  beforeAll(async () => {
    customer = await test.customer()
  })

  it('is given once, shown in the balance call, and of the right kind for its network', async () => {
    const bitcoin = await chains.addressFor(customer, 'BTC')
    expect(bitcoin).toMatch(/^bcrt1q[0-9a-z]{38}$/)
    expect(await chains.addressFor(customer, 'BTC')).toBe(bitcoin)
    const ethereum = await chains.addressFor(customer, 'USDC')
    expect(await chains.addressFor(customer, 'ETH')).toBe(ethereum)
    const cpc = await chains.addressFor(customer, 'CPC')
    const { body } = await test.send('GET', '/users/balance', { token: customer.token })
    expect(body.data.BTC.p2wpkh_address).toBe(bitcoin)
    expect(body.data.ETH.address).toBe(ethereum)
    expect(body.data.USDC.address).toBe(ethereum)
    expect(body.data.CPC).toMatchObject({ accountRs: cpc, accountId: expect.stringMatching(/^\d+$/), address: null })
    expect(body.data.CPC.publicKey).toMatch(/^[0-9a-f]{64}$/)
    expect(body.data.PTC).toMatchObject({ address: null, accountRs: null, publicKey: null, p2wpkh_address: null })
  })

  it('is another one on request for Bitcoin alone, and there is an end to it', async () => {
    const first = await chains.addressFor(customer, 'BTC')
    const second = await chains.addressFor(customer, 'BTC', true)
    expect(second).not.toBe(first)
    const ethereum = await chains.addressFor(customer, 'ETH')
    expect(await chains.addressFor(customer, 'ETH', true)).toBe(ethereum)
    const ask = async () => {
      await chains.fillPool()
      return test.send('POST', '/users/deposit/address', { token: customer.token, body: { currency: 'BTC', isNew: true } })
    }
    let last = await ask()
    for (let count = 0; count < 20 && last.status === 200; count += 1) last = await ask()
    expect(last).toMatchObject({ status: 409, body: { code: 'addresses_used_up', params: { most: 20 } } })
  })

  it('is one for two requests at once', async () => {
    const other = await test.customer()
    await chains.fillPool()
    await chains.follow('cpc')
    const ask = () => test.send('POST', '/users/deposit/address', { token: other.token, body: { currency: 'CPC' } })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ body }) => body.data.address)).size).toBe(1)
  })

  it('is refused for a token that cannot be deposited', async () => {
    const answer = await test.send('POST', '/users/deposit/address', { token: customer.token, body: { currency: 'PTC' } })
    expect(answer).toMatchObject({ status: 422, body: { code: 'currency_unsupported', message: 'Unsupported Token' } })
  })

  it('is 503 while its chain is not read yet: what is paid to it would never be seen', async () => {
    const early = await createTestApp()
    const someone = await early.customer()
    await early.app.sandbox?.chains.fillPool()
    const ask = () => early.send('POST', '/users/deposit/address', { token: someone.token, body: { currency: 'BTC' } })
    expect((await ask()).status).toBe(503)
    await early.app.sandbox?.chains.follow('bitcoin')
    expect((await ask()).status).toBe(200)
    await early.close()
  })

  it('of an earlier seed is neither given nor counted', async () => {
    const { addressMakers } = await import('#lib/server/chains/adapters/makers.ts')
    const { fillPool } = await import('#lib/server/chains/index.ts')
    const other = await createTestApp()
    const someone = await other.customer()
    const seed = new Uint8Array(32).fill(9)
    const makers = async () => addressMakers(seed, { bitcoin: 'regtest', cpcPrefix: 'CPC' })
    await fillPool(other.app.context, { seed, makers, coldWallets: async () => [] }, 12)
    await other.app.sandbox?.chains.follow('ethereum')
    const ask = () => other.send('POST', '/users/deposit/address', { token: someone.token, body: { currency: 'ETH' } })
    expect((await ask()).status).toBe(503)
    await other.app.sandbox?.chains.fillPool()
    const first = await ask()
    expect(first.status).toBe(200)
    expect(first.body.data.address).not.toBe((await makers()).ethereum('deposit', 0).address)
    await other.close()
  })

  it('is 503 where the pool is empty', async () => {
    const empty = await createTestApp()
    const someone = await empty.customer()
    const answer = await empty.send('POST', '/users/deposit/address', { token: someone.token, body: { currency: 'BTC' } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await empty.close()
  })

  it('is not shown, and its deposit not credited, where somebody changed it in the database', async () => {
    const victim = await test.customer()
    const address = await chains.addressFor(victim, 'ETH')
    const evil = '0x000000000000000000000000000000000000dEaD'
    const { db } = test.app.context
    await expect(db.execute(sql`update chain_addresses set address = ${evil} where address = ${address}`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/never changed/) }
    })
    await behindTheBack(db, sql`update chain_addresses set address = ${evil} where address = ${address}`)
    const { body } = await test.send('GET', '/users/balance', { token: victim.token })
    expect(body.data.ETH.address).toBeNull()
    const another = await chains.addressFor(victim, 'ETH')
    expect([address, evil]).not.toContain(another)
    await chains.pay('ethereum', { address: evil, token: 'ETH', amount: 10n ** 18n })
    await chains.confirm('ethereum')
    expect((await chains.history(victim))[0]).toMatchObject({ status: 'TX_CONFIRMED', note: 'unproven' })
    expect(await chains.spotOf(victim, 'ETH')).toBe(0n)
  })
})

describe('a deposit', () => {
  it('is pending from its first block, and credited with enough confirmations, once', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    const txId = await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    expect(await chains.history(customer)).toEqual([
      expect.objectContaining({
        blockchain: 'BTC',
        currency: 'BTC',
        amount: String(BTC),
        txId,
        receiver: address,
        p2wpkh_address: address,
        status: 'PENDING',
        note: null,
        confirmations: 1,
        confirmationsNeeded: 3,
        creditedAt: null
      })
    ])
    await chains.mine('bitcoin', 1)
    expect((await chains.history(customer))[0]).toMatchObject({ status: 'PENDING', confirmations: 2 })
    expect(await chains.spotOf(customer, 'BTC')).toBe(0n)
    await chains.mine('bitcoin', 1)
    expect((await chains.history(customer))[0]).toMatchObject({ status: 'CREDITED', confirmations: 3 })
    await chains.mine('bitcoin', 5)
    await chains.follow('bitcoin')
    expect((await chains.history(customer))[0]).toMatchObject({ status: 'CREDITED', confirmations: 3 })
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
    const mails = await test.mailsTo(customer.email)
    expect(mails.map(({ subject }) => subject).join()).toContain('Your deposit of 1 BTC has been credited')
    const { lines } = await test.ask(customer, 'listActivity', { query: { kind: 'deposit' } })
    expect(lines).toEqual([expect.objectContaining({ name: 'deposit', currency: 'BTC', amount: String(BTC), direction: 'in' })])
    const statement = await test.ask(customer, 'getStatement', { query: { currency: 'BTC' } })
    expect(statement.lines).toEqual([expect.objectContaining({ kind: 'deposit', amount: String(BTC) })])
  })

  it('to an old address still counts', async () => {
    const customer = await test.customer()
    const old = await chains.addressFor(customer, 'BTC')
    await chains.addressFor(customer, 'BTC', true)
    await chains.pay('bitcoin', { address: old, token: 'BTC', amount: BTC })
    await chains.confirm('bitcoin')
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
  })

  it('twice in one transaction is two deposits; a stranger in it is none', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'USDC')
    const stranger = { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', token: 'USDC', amount: 7_000_000n }
    await chains.pay('ethereum', { address, token: 'USDC', amount: 5_000_000n }, stranger, {
      address,
      token: 'USDC',
      amount: 6_000_000n
    })
    await chains.confirm('ethereum')
    expect((await chains.history(customer)).map(({ amount }) => amount)).toEqual(['6000000', '5000000'])
    expect(await chains.spotOf(customer, 'USDC')).toBe(11_000_000n)
  })

  it('that is too small is shown as such and kept apart; exactly the smallest is credited', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'CPC')
    const before = await houseHas('suspense', 'CPC')
    await chains.pay('cpc', { address, token: 'CPC', amount: 1_999_999_999n })
    await chains.pay('cpc', { address, token: 'CPC', amount: 2_000_000_000n })
    await chains.confirm('cpc')
    expect(await chains.history(customer)).toMatchObject([
      { status: 'CREDITED', note: null },
      { status: 'TX_CONFIRMED', note: 'small', creditedAt: null }
    ])
    expect(await chains.spotOf(customer, 'CPC')).toBe(2_000_000_000n)
    expect((await houseHas('suspense', 'CPC')) - before).toBe(1_999_999_999n)
    const mails = await test.mailsTo(customer.email)
    const about = mails.find(({ subject }) => subject.includes('too small'))
    expect(about?.text).toContain('The smallest deposit is 20 CPC.')
    expect(about?.text).toContain('0.00000001 CPC more')
  })

  describe('below the smallest one', () => {
    const small = async (name: 'CPC' | 'BTC', ...amounts: bigint[]) => {
      const customer = await test.customer()
      const address = await chains.addressFor(customer, name)
      const chain = name === 'CPC' ? 'cpc' : 'bitcoin'
      const pay = async (amount: bigint) => {
        await chains.pay(chain, { address, token: name, amount })
        await chains.confirm(chain)
      }
      for (const amount of amounts) await pay(amount)
      return { customer, address, pay }
    }
    const CPC = 100_000_000n

    it('add up, and are credited together once they reach it', async () => {
      const before = await houseHas('suspense', 'CPC')
      const { customer, pay } = await small('CPC', 8n * CPC, 7n * CPC)
      expect(await chains.spotOf(customer, 'CPC')).toBe(0n)
      expect((await chains.history(customer)).map(({ note, missing }) => [note, missing])).toEqual([
        ['small', String(5n * CPC)],
        ['small', String(5n * CPC)]
      ])
      await pay(5n * CPC)
      expect(await chains.spotOf(customer, 'CPC')).toBe(20n * CPC)
      expect(await houseHas('suspense', 'CPC')).toBe(before)
      expect(await chains.history(customer)).toMatchObject([
        { status: 'CREDITED', note: null, amount: String(5n * CPC) },
        { status: 'CREDITED', note: null, amount: String(7n * CPC) },
        { status: 'CREDITED', note: null, amount: String(8n * CPC) }
      ])
      const subjects = (await test.mailsTo(customer.email)).map(({ subject }) => subject)
      expect(subjects.join()).toContain('20 CPC from 3 small deposits has been credited')
      // The next one begins anew.
      await pay(19n * CPC)
      expect(await chains.spotOf(customer, 'CPC')).toBe(20n * CPC)
    })

    it('of another customer or of another token do not count', async () => {
      const { customer } = await small('CPC', 19n * CPC)
      const { customer: other } = await small('CPC', 19n * CPC)
      expect([await chains.spotOf(customer, 'CPC'), await chains.spotOf(other, 'CPC')]).toEqual([0n, 0n])
    })

    it('of Bitcoin do not count where they cost more to spend than they hold', async () => {
      const { customer, pay } = await small('BTC', 9_000n, 1_000n)
      expect(await chains.spotOf(customer, 'BTC')).toBe(0n)
      expect((await chains.history(customer)).map(({ missing }) => missing)).toEqual([null, '1000'])
      await pay(1_021n)
      expect(await chains.spotOf(customer, 'BTC')).toBe(10_021n)
    })

    it('are not credited by themselves where an operator has decided about one of them', async () => {
      const { customer, pay } = await small('CPC', 12n * CPC)
      const [row] = await chains.history(customer)
      await decideSuspended(
        test.app.context,
        { kind: 'deposit', id: BigInt(row?.id ?? 0) },
        { actor: { kind: 'staff', id: 'grace' }, why: 'Ours.' }
      )
      await pay(12n * CPC)
      expect(await chains.spotOf(customer, 'CPC')).toBe(0n)
    })

    it('wait again where a reorganisation takes one of them back; what is spent is a debt', async () => {
      const { customer } = await small('CPC', 10n * CPC, 6n * CPC)
      await chains.pay('cpc', { address: await chains.addressFor(customer, 'CPC'), token: 'CPC', amount: 5n * CPC })
      await chains.confirm('cpc')
      expect(await chains.spotOf(customer, 'CPC')).toBe(21n * CPC)
      const away = 18n * CPC
      await test.adjust([
        { source: customerAccount(customer.userId, 'spot'), destination: house('treasury'), currency: 'CPC', amount: away }
      ])
      await chains.reorganise('cpc', 13, true)
      const history = await chains.history(customer)
      expect(history.map(({ status, note }) => [status, note])).toEqual([
        ['PENDING', 'reorganised'],
        ['TX_CONFIRMED', 'small'],
        ['TX_CONFIRMED', 'small']
      ])
      expect(await chains.spotOf(customer, 'CPC')).toBe(0n)
      expect((await test.verifyLedger()).problems).toEqual([])
      // It comes back: all three are credited again, and pay what was spent.
      await chains.confirm('cpc')
      expect(await chains.spotOf(customer, 'CPC')).toBe(3n * CPC)
      expect((await test.ask(customer, 'getSecurity')).withdrawals).toMatchObject({ allowed: true })
      expect((await test.verifyLedger()).problems).toEqual([])
    })
  })

  it('of a token that we do not support is shown as such and kept apart', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'ETH')
    const contract = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
    await chains.pay('ethereum', { address, token: contract, amount: 10n ** 18n })
    await chains.confirm('ethereum')
    expect(await chains.history(customer)).toMatchObject([{ currency: contract, status: 'TX_CONFIRMED', note: 'unsupported' }])
    expect(await houseHas('suspense', contract)).toBe(10n ** 18n)
    const { lines } = await test.ask(customer, 'listActivity', { query: {} })
    expect(lines[0]).toMatchObject({ name: 'deposit', currency: contract, direction: 'none', valueCents: null })
  })

  it('that was sent to an address of the pool that nobody has is kept apart', async () => {
    await chains.fillPool()
    await chains.follow('cpc')
    const { db } = test.app.context
    const free = rowsOf<{ address: string }>(
      await db.execute(
        sql`select address from chain_addresses where chain = 'cpc' and purpose = 'deposit' and user_id is null limit 1`
      )
    )[0]?.address
    const before = [await houseHas('suspense', 'CPC'), await houseHas('treasury', 'CPC')]
    await chains.pay('cpc', { address: free ?? '', token: 'CPC', amount: 5_000_000_000n })
    await chains.confirm('cpc')
    expect([await houseHas('suspense', 'CPC'), await houseHas('treasury', 'CPC')]).toEqual([
      (before[0] ?? 0n) + 5_000_000_000n,
      before[1]
    ])
  })

  it('of made-up tokens by the thousand stops nothing, and mails once about dust', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'USDC')
    const huge = 2n ** 256n - 1n
    const spam = Array.from({ length: 6000 }, (_, index) => ({
      address,
      token: `0x${String(index).padStart(40, '0')}`,
      amount: index % 2 === 0 ? huge : 1n
    }))
    const many = Array.from({ length: 20 }, () => ({ address, token: 'USDC', amount: 1n }))
    await chains.pay('ethereum', ...spam, ...many, { address, token: 'USDC', amount: 9_000_000n })
    await chains.confirm('ethereum')
    expect(await chains.spotOf(customer, 'USDC')).toBe(9_000_000n)
    const unknown = await test.app.context.db.execute(
      sql`select id from deposits where note = 'unsupported' and user_id = ${customer.userId}`
    )
    expect(rowsOf(unknown)).toHaveLength(3)
    const mails = (await test.mailsTo(customer.email)).map(({ subject }) => subject)
    expect(mails.filter((subject) => subject.includes('too small'))).toHaveLength(1)
    expect(mails.join()).not.toContain('do not support')
  })

  it('of nothing is none', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'ETH')
    await chains.pay('ethereum', { address, token: 'ETH', amount: 0n })
    expect(await chains.history(customer)).toEqual([])
  })

  it('from an address of ours is none: sweeps, top-ups and change', async () => {
    const customer = await test.customer()
    const bitcoin = await chains.addressFor(customer, 'BTC')
    const first = await chains.pay('bitcoin', { address: bitcoin, token: 'BTC', amount: BTC })
    const ethereum = await chains.addressFor(customer, 'ETH')
    const { sandboxPay } = await import('#lib/server/chains/adapters/sandboxWorld.ts')
    const { context } = test.app
    await sandboxPay(context, 'bitcoin', [{ address: bitcoin, token: 'BTC', amount: BTC / 2n }], { spends: [`${first}:0`] })
    await sandboxPay(context, 'ethereum', [{ address: ethereum, token: 'ETH', amount: 10n ** 18n }], { senders: [ethereum] })
    await chains.confirm('bitcoin')
    await chains.confirm('ethereum')
    expect(await chains.history(customer)).toMatchObject([{ currency: 'BTC', amount: String(BTC), status: 'CREDITED' }])
  })

  it('to the wallet of the house is its own money', async () => {
    await chains.fillPool()
    const { db } = test.app.context
    const hot = rowsOf<{ address: string }>(
      await db.execute(sql`select address from chain_addresses where chain = 'ethereum' and purpose = 'hot'`)
    )[0]?.address
    await chains.pay('ethereum', { address: hot ?? '', token: 'ETH', amount: 3n })
    await chains.confirm('ethereum')
    expect(await houseHas('treasury', 'ETH')).toBe(3n)
  })

  it('is nobody else’s', async () => {
    const [owner, other] = [await test.customer(), await test.customer()]
    const address = await chains.addressFor(owner, 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    expect(await chains.history(other)).toEqual([])
    expect((await test.send('GET', '/users/deposit/history')).status).toBe(401)
  })
})

describe('a reorganisation', () => {
  it('before the credit: the deposit moves to its new block', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    await chains.reorganise('bitcoin', 1, false)
    expect(await chains.history(customer)).toMatchObject([{ status: 'PENDING', note: null, confirmations: 2 }])
    await chains.mine('bitcoin', 1)
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
  })

  it('before the credit, without the transfer: it is shown as removed, and credited once it is back', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    await chains.reorganise('bitcoin', 1, true)
    expect(await chains.history(customer)).toMatchObject([{ status: 'PENDING', note: 'reorganised', confirmations: 0 }])
    await chains.confirm('bitcoin')
    expect(await chains.history(customer)).toMatchObject([{ status: 'CREDITED', note: null }])
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
  })

  it('after the credit: taken back, and credited anew with the block that includes it again', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    await chains.mine('bitcoin', 2)
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
    await chains.reorganise('bitcoin', 3, true)
    expect(await chains.spotOf(customer, 'BTC')).toBe(0n)
    const mails = await test.mailsTo(customer.email)
    expect(mails.map(({ subject }) => subject).join()).toContain('The network reversed your deposit of 1 BTC')
    await chains.confirm('bitcoin')
    expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
    const statement = await test.ask(customer, 'getStatement', { query: { currency: 'BTC' } })
    expect(statement.lines.map(({ amount }: { amount: string }) => amount)).toEqual([String(BTC), String(-BTC), String(BTC)])
  })

  it('after it was spent: what is missing is a debt and a hold, until the transfer is included again', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: BTC })
    await chains.mine('bitcoin', 2)
    const transfer = (amount: bigint, kind: 'spot' | 'funding') => ({
      source: customerAccount(customer.userId, 'spot'),
      destination: kind === 'spot' ? house('treasury') : customerAccount(customer.userId, kind),
      currency: 'BTC',
      amount
    })
    // 30 % spent, 20 % moved to funding.
    await test.adjust([transfer((BTC * 3n) / 10n, 'spot'), transfer(BTC / 5n, 'funding')])
    await chains.reorganise('bitcoin', 3, true)
    const { body } = await test.send('GET', '/users/balance', { token: customer.token })
    expect(body.data.BTC.totalBalance).toBe('0')
    expect(await houseHas('losses', 'BTC')).toBe((-BTC * 3n) / 10n)
    const gate = async () => (await test.ask(customer, 'getSecurity')).withdrawals
    expect(await gate()).toMatchObject({ allowed: false, reason: 'held' })
    expect((await test.verifyLedger()).problems).toEqual([])
    await chains.confirm('bitcoin')
    // The new credit pays the debt first, which ends the hold.
    expect(await chains.spotOf(customer, 'BTC')).toBe((BTC * 7n) / 10n)
    expect(await houseHas('losses', 'BTC')).toBe(0n)
    expect(await gate()).toMatchObject({ allowed: true })
  })

  it('takes back what was kept apart too', async () => {
    const customer = await test.customer()
    const address = await chains.addressFor(customer, 'BTC')
    const before = await houseHas('suspense', 'BTC')
    await chains.pay('bitcoin', { address, token: 'BTC', amount: 9_999n })
    await chains.mine('bitcoin', 2)
    expect((await houseHas('suspense', 'BTC')) - before).toBe(9_999n)
    await chains.reorganise('bitcoin', 3, true)
    expect(await houseHas('suspense', 'BTC')).toBe(before)
    await chains.confirm('bitcoin')
    expect((await houseHas('suspense', 'BTC')) - before).toBe(9_999n)
  })
})
