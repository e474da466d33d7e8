import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryStore, refreshAllQueries, refreshQueries, seedQuery } from '#lib/client/platform/queries.ts'
import { startSession } from '#lib/client/platform/session.ts'
import { createMoveFunds } from '#lib/client/wallet/moveFunds.ts'
import { createWallet, filterLines, walletLines } from '#lib/client/wallet/wallet.ts'
import type { Balances } from '#lib/contract/types.ts'
import { customerAccount, house } from '#lib/server/ledger/post.ts'
import { unknownTexts as texts } from '#messages/platform/unknown.ts'
import { createScreenTest, inNoTime, type ScreenTest } from '#support/screens.ts'
import type { Customer } from '#support/testApp.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

async function balancesOf({ token }: Customer): Promise<Balances> {
  return (await test.send('GET', '/users/balance', { token })).body.data
}

/** A customer with 20 CPC in spot. */
async function holder() {
  const customer = await test.customer()
  startSession(customer)
  await test.adjust([
    {
      source: house('treasury'),
      destination: customerAccount(customer.userId, 'spot'),
      currency: 'CPC',
      amount: 2_000_000_000n
    }
  ])
  return customer
}

const reward = ({ userId }: Customer, amount: bigint) =>
  test.adjust([{ source: house('rewards'), destination: customerAccount(userId, 'reward'), currency: 'CPC', amount }])

describe('the list', () => {
  it('has every token of the catalogue, is searched without white space, and shows what is empty on demand', async () => {
    const lines = walletLines(await balancesOf(await holder()), { CPC: '0.05' })
    expect(lines).toHaveLength(24)
    expect((await balancesOf(await holder())).CPC?.iconImage).toBe('/token-icon/CPC.svg')
    expect(lines[0]).toMatchObject({ total: 2_000_000_000n, available: 2_000_000_000n, frozen: 0n, cents: 100n })
    expect(lines[1]?.cents).toBeUndefined()
    const screen = createWallet()
    screen.search(' wrapped  eth ')
    expect(screen.state.get().search).toBe('wrappedeth')
    expect(filterLines(lines, screen.state.get()).map(({ token }) => token.code)).toEqual(['WETH'])
    screen.search('toncoin')
    expect(filterLines(lines, screen.state.get()).map(({ token }) => token.code)).toEqual(['TON_COIN'])
    screen.search('')
    expect(filterLines(lines, screen.state.get()).map(({ token }) => token.code)).toEqual(['CPC'])
    screen.showAll()
    expect(filterLines(lines, screen.state.get())).toHaveLength(24)
    // A customer without balances sees the tokens of the portfolio.
    const empty = lines.map((line) => ({ ...line, total: 0n }))
    expect(filterLines(empty, createWallet().state.get()).map(({ token }) => token.code)).toEqual(['CPC', 'PTC', 'BTC', 'USDC'])
  })

  it('says what is not open yet', () => {
    createWallet().notYet()
    createWallet().notYet('Withdraw')
    expect(test.said()).toEqual(['Coming soon', 'Withdraw is coming soon'])
  })

  it('counts what is staked, locked and a reward in the total, but not as available', async () => {
    const customer = await holder()
    const own = (kind: 'staked' | 'locked' | 'frozen') => customerAccount(customer.userId, kind)
    for (const [kind, amount] of [
      ['staked', 5n],
      ['locked', 2n],
      ['frozen', 3n]
    ] as const)
      await test.adjust([{ source: customerAccount(customer.userId, 'spot'), destination: own(kind), currency: 'CPC', amount }])
    await reward(customer, 10n)
    const [line] = walletLines(await balancesOf(customer), { CPC: '0.05' })
    expect(line?.bound.map(({ kind, units }) => `${kind} ${units}`)).toEqual(['staked 5', 'locked 2', 'reward 10'])
    expect(line).toMatchObject({ total: 2_000_000_010n, available: 1_999_999_990n, frozen: 3n, canMove: true })
  })
})

describe('a transfer between spot and funding', () => {
  async function opened() {
    const customer = await holder()
    const screen = createMoveFunds()
    const { CPC } = await balancesOf(customer)
    if (CPC) screen.open('CPC', CPC)
    return { customer, screen }
  }
  const sides = async (customer: Customer) => {
    const { wallet } = (await balancesOf(customer)).CPC ?? {}
    return [wallet?.spotBalance, wallet?.fundingBalance.total]
  }

  it.each([
    ['', 'Please enter an amount'],
    ['0', 'Please enter a valid amount greater than zero.'],
    ['-1', 'Please enter a valid amount greater than zero.'],
    ['abc', 'Please enter a valid amount greater than zero.'],
    ['1e3', 'Please enter a valid amount greater than zero.'],
    ['0.000000001', 'Too many decimal places for this token'],
    ['20.00000001', 'Insufficient Balance. You have 20 CPC in spot.']
  ])('of "%s" says "%s" and sends nothing', async (amount, message) => {
    const { screen } = await opened()
    test.reset()
    screen.type('amount', amount)
    await screen.submit()
    expect(screen.state.get()).toMatchObject({ fields: { amount }, errors: { amount: message } })
    expect(test.asked).toEqual([])
  })

  it('moves exactly what was typed, there and back', async () => {
    const { customer, screen } = await opened()
    screen.type('amount', '1.5')
    await screen.submit()
    expect(test.said()).toEqual(['Transferred successfully'])
    expect(await sides(customer)).toEqual(['1850000000', '150000000'])
    const { CPC } = await balancesOf(customer)
    if (CPC) screen.open('CPC', CPC)
    screen.choose('funding')
    screen.takeAll()
    expect(screen.state.get().fields.amount).toBe('1.5')
    screen.type('amount', '2')
    await screen.submit()
    expect(screen.state.get().errors.amount).toBe('Insufficient Funding Balance. You have 1.5 CPC in funding.')
    screen.takeAll()
    await screen.submit()
    expect(await sides(customer)).toEqual(['2000000000', '0'])
  })

  it('shows the figures as they are by now, and keeps what was typed', async () => {
    const { customer, screen } = await opened()
    screen.type('amount', '15')
    const elsewhere = createMoveFunds()
    const { CPC } = await balancesOf(customer)
    if (CPC) elsewhere.open('CPC', CPC)
    elsewhere.type('amount', '12')
    await elsewhere.submit()
    await screen.submit()
    expect(screen.state.get()).toMatchObject({ fields: { amount: '15' }, errors: { amount: 'Insufficient Balance' } })
    screen.update(await balancesOf(customer))
    expect(screen.state.get()).toMatchObject({ fields: { amount: '15' }, spot: 800_000_000n, funding: 1_200_000_000n })
  })

  it('begins with the side that was asked for, if it has anything to give', async () => {
    const customer = await holder()
    await reward(customer, 5n)
    const { CPC } = await balancesOf(customer)
    const screen = createMoveFunds()
    if (CPC) screen.open('CPC', CPC, 'reward')
    expect(screen.state.get().from).toBe('reward')
    if (CPC) screen.open('CPC', CPC, 'funding')
    expect(screen.state.get().from).toBe('spot')
  })

  it('takes rewards to spot, and starts with them where there is nothing else', async () => {
    const customer = await test.customer()
    startSession(customer)
    await reward(customer, 300_000_000n)
    const screen = createMoveFunds()
    const { CPC } = await balancesOf(customer)
    if (CPC) screen.open('CPC', CPC)
    expect(screen.state.get()).toMatchObject({ from: 'reward', spot: 0n, funding: 0n, reward: 300_000_000n })
    screen.type('amount', '4')
    await screen.submit()
    expect(screen.state.get().errors.amount).toBe('Insufficient Rewards Balance. You have 3 CPC in rewards.')
    screen.takeAll()
    await screen.submit()
    expect(test.said()).toEqual(['Transferred successfully'])
    expect((await balancesOf(customer)).CPC).toMatchObject({ mainBalance: '300000000', rewardBalance: '0' })
  })

  const PATH = '/v1/users/balance/transfer-from-spot-to-funding'

  it.each(['answer lost', 'unreachable', '502 of a proxy'] as const)(
    'is asked again by itself, and counts once: %s',
    async (how) => {
      const { customer, screen } = await opened()
      screen.type('amount', '1')
      test.breakAt(PATH, how)
      await screen.submit()
      expect(test.said()).toEqual([texts.askingAgain, 'Transferred successfully'])
      expect(await sides(customer)).toEqual(['1900000000', '100000000'])
    }
  )

  it('that gets no answer for half a minute says that the outcome is unknown, and counts once when it is pressed again', async () => {
    const { customer, screen } = await opened()
    screen.type('amount', '1')
    test.breakAt(PATH, 'answer lost', 7)
    await inNoTime(() => screen.submit())
    expect(test.asked.filter((path) => path === PATH)).toHaveLength(7)
    expect(screen.state.get()).toMatchObject({ fields: { amount: '1' }, errors: { amount: texts.stillUnknown } })
    await Promise.all([screen.submit(), screen.submit()])
    expect(await sides(customer)).toEqual(['1900000000', '100000000'])
  })

  it('is not asked again as somebody else who has signed in meanwhile', async () => {
    const { customer, screen } = await opened()
    const next = await test.customer()
    screen.type('amount', '1')
    test.breakAt(PATH, 'answer lost')
    const moving = screen.submit()
    await vi.waitFor(() => expect(test.said()).toContain(texts.askingAgain))
    startSession(next)
    await moving
    expect(test.asked.filter((path) => path === PATH)).toHaveLength(1)
    expect(screen.state.get().errors.amount).toBe(texts.stillUnknown)
    startSession(customer)
    await screen.submit()
    expect(await sides(customer)).toEqual(['1900000000', '100000000'])
  })

  it('whose outcome is unknown stays as it is: typed over, closed and opened, with the balances that it has changed itself', async () => {
    const { customer, screen } = await opened()
    screen.type('amount', '12')
    test.breakAt(PATH, 'answer lost', 7)
    await inNoTime(() => screen.submit())
    const balances = await balancesOf(customer)
    screen.update(balances)
    screen.type('amount', '3')
    screen.choose('funding')
    screen.close()
    if (balances.CPC) screen.open('CPC', balances.CPC, 'funding')
    // A repeat that was not sent decides nothing.
    vi.stubGlobal('navigator', { onLine: false })
    await screen.submit()
    vi.unstubAllGlobals()
    screen.type('amount', '4')
    expect(screen.state.get()).toMatchObject({ currency: 'CPC', from: 'spot', fields: { amount: '12' } })
    await screen.submit()
    expect(screen.state.get().errors).toEqual({})
    expect(await sides(customer)).toEqual(['800000000', '1200000000'])
    // The same again is another move.
    if (balances.CPC) screen.open('CPC', balances.CPC)
    screen.type('amount', '1')
    await screen.submit()
    expect(await sides(customer)).toEqual(['700000000', '1300000000'])
  })

  it('that is refused when it is asked again was not carried out', async () => {
    const { customer, screen } = await opened()
    screen.type('amount', '1')
    test.breakAt(PATH, 'unreachable')
    const pressed = screen.submit()
    await test.adjust([
      {
        source: customerAccount(customer.userId, 'spot'),
        destination: house('treasury'),
        currency: 'CPC',
        amount: 2_000_000_000n
      }
    ])
    await pressed
    expect(screen.state.get().errors.amount).toMatch(/^Insufficient/)
    expect(await sides(customer)).toEqual(['0', '0'])
  })
})

describe('what is shown', () => {
  const asked = () => test.asked.filter((path) => path.endsWith('/staking/total')).length

  it('that came with the page is fresh for five minutes, and not longer', async () => {
    startSession(await test.customer())
    vi.useFakeTimers({ toFake: ['Date'] })
    seedQuery('getStakingTotal', { totalUsd: '5.00', orders: 1 }, { query: { fresh: 1 } } as never)
    const store = queryStore('getStakingTotal', { query: { fresh: 1 } } as never)
    const look = () => store.listen(() => undefined)()
    await vi.advanceTimersByTimeAsync(299_000)
    look()
    expect(asked()).toBe(0)
    await vi.advanceTimersByTimeAsync(2000)
    look()
    await vi.waitFor(() => expect(asked()).toBe(1))
    vi.useRealTimers()
  })

  it('is fetched once more where something changed while it was being fetched', async () => {
    startSession(await test.customer())
    const store = queryStore('getStakingTotal', { query: { changed: 1 } } as never)
    const stop = store.listen(() => undefined)
    expect(asked()).toBe(0)
    refreshQueries('getStakingTotal')
    refreshQueries('getStakingTotal')
    await vi.waitFor(() => expect(asked()).toBe(2))
    await vi.waitFor(() => expect(store.get()).toMatchObject({ loading: false, data: { totalUsd: '0.00' } }))
    expect(asked()).toBe(2)
    stop()
  })

  it('is fetched again after a minute away and every thirty', async () => {
    startSession(await test.customer())
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    vi.stubGlobal('window', { addEventListener: () => undefined })
    seedQuery('getStakingTotal', { totalUsd: '5.00', orders: 1 })
    const store = queryStore('getStakingTotal')
    const stop = store.listen(() => undefined)
    expect(store.get()).toMatchObject({ data: { totalUsd: '5.00' } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked()).toBe(0)
    refreshAllQueries()
    await vi.waitFor(() => expect(store.get()).toMatchObject({ data: { totalUsd: '0.00' } }))
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(28 * 60_000)
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    await vi.waitFor(() => expect(asked()).toBe(2))
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})
