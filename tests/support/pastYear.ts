/**
 * A customer with a year of bookings and daily prices, for screenshots and page weights. Made by the product's own use cases, with a
 * moving clock.
 */
import { randomUUID } from 'node:crypto'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { receiveEntry } from '#lib/server/payments/index.ts'
import { dailyRatesJob, type RatesSource } from '#lib/server/rates/index.ts'
import { hooks } from './hooks.ts'
import { LOCAL } from './local.ts'

const DAY_MS = 86_400_000
const DAYS = 360
/** The most open orders a customer may have; the book shows the best ten of them. */
const TRADER_ORDERS = 20

/** `orders`: an order id for each state. */
export type Past = { token: string; refreshToken: string; cookie: string; email: string; orders: Record<string, string> }

/** Deterministic prices that move a little every day, so that charts are not flat. */
function movingRates(clock: () => Date): RatesSource {
  const wave = (base: number, share: number, period: number) =>
    (base * (1 + share * Math.sin((clock().getTime() / DAY_MS / period) * Math.PI))).toFixed(6)
  return {
    current: async () => ({
      eurPerUsd: { value: '0.92', source: 'sandbox', at: clock() },
      pricesUsd: {
        values: { CPC: '0.05', BTC: wave(93_000, 0.04, 9), ETH: wave(3250, 0.05, 13), USDC: '1' },
        source: 'sandbox',
        at: clock()
      }
    })
  }
}

/**
 * Fills the database that the environment names: `DATABASE_URL`, or the embedded one in `DATA_DIR`. Returns the customer's session as a browser
 * stores it.
 */
export async function livePastYear(database: { DATABASE_URL: string } | { DATA_DIR: string }, email: string): Promise<Past> {
  const end = Date.now()
  let now = end - DAYS * DAY_MS
  const clock = () => new Date(now)
  const rates = movingRates(clock)
  const config = readConfig({ LOG_LEVEL: 'silent', LIMIT_SCALE: '1000', ...database })
  const app = await compose(config, { clock, recurring: false, ports: (ports) => ({ ...ports, rates }) })
  const { context } = app
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await app.api.request(
      `/v1${path}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body)
      },
      LOCAL
    )
    return { headers: response.headers, data: (await response.json()).data }
  }
  const cookieOf = (headers: Headers, name: string) =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.split(';', 1)[0] ?? ''
  const codeOf = async () => {
    await app.sandbox?.deliverMail()
    const subjects = ((await app.sandbox?.mails()) ?? []).map(({ subject }) => subject).join('\n')
    return /^\d{6}\b/m.exec(subjects)?.[0] ?? ''
  }

  const signedUp = await send('/users/signup', { email, password: 'correct horse battery', phone: '+43 660 1234567' })
  const browser = { cookie: cookieOf(signedUp.headers, 'browser') }
  const opened = await send('/users/signup/verify', { email, token: await codeOf() }, browser)
  const bearer = { authorization: `Bearer ${opened.data.token}` }
  const { data: profile } = await (await app.api.request('/v1/users/profile', { headers: bearer }, LOCAL)).json()
  const link = await app.ports.identity.createLink({ userId: profile.userId, email }, 1800)
  await app.sandbox?.decideIdentity(link.split('/').at(-1) ?? '', 'approve', { firstName: 'Ada', lastName: 'Lovelace' })

  const pay = async (orderId: string, cents: bigint) => {
    const day = clock().toISOString().slice(0, 10)
    const facts = { direction: 'credit', currency: 'EUR', bookedOn: day, valueOn: day, payerName: 'Ada Lovelace' } as const
    await receiveEntry(
      context,
      { rates, ...hooks },
      {
        ...facts,
        entryId: randomUUID(),
        payerIban: 'AT611904300234573201',
        amountCents: cents,
        remittance: orderId
      }
    )
  }
  const credit = (currency: string, kind: 'spot' | 'funding' | 'reward', amount: bigint) =>
    post(context.db, {
      // As a deposit and a reward are booked, so that pages can say what they cost.
      reason: kind === 'reward' ? 'adjustment' : 'deposit_credited',
      source: { type: kind === 'reward' ? 'adjustment' : 'deposit', id: randomUUID() },
      reference: randomUUID(),
      actor: { kind: 'system', id: 'pictures' },
      transfers: [
        {
          source: house(kind === 'reward' ? 'rewards' : 'treasury'),
          destination: customerAccount(profile.userId, kind),
          currency,
          amount
        }
      ],
      at: clock()
    })
  // Signs in again: by then the first session and its bearer have expired.
  const freshBearer = async () => {
    const { data } = await send('/users/signin/otp/request', { email }, browser)
    const session = await send('/users/signin/otp/verify', { email, otp: data && (await codeOf()) }, browser)
    return { pair: session.data, headers: session.headers }
  }
  const order = async (comboConfigId: number) => {
    const { pair } = await freshBearer()
    const headers = { authorization: `Bearer ${pair.token}` }
    const { data } = await send('/orders/combo', { comboConfigId, bankAccountId: 1 }, headers)
    return { id: data.id as string, cents: BigInt(data.euroToPay.replace('.', '')), headers }
  }

  /** Fills the book; the customer lists three orders (one sold, one cancelled, one open) and buys from another. */
  const trade = async () => {
    await credit('CPC', 'funding', 500_000_000_000n)
    for (let order = 0; order < TRADER_ORDERS; order += 1) await app.sandbox?.trader.sell(`${5000 + 100 * order}`, `0.05${order}`)
    const { pair } = await freshBearer()
    const bearer = { authorization: `Bearer ${pair.token}` }
    const sell = async (coins: bigint, pricePerCoin: string) => {
      const body = {
        orderType: 'SELL',
        assetCurrency: 'CPC',
        settlementCurrency: 'USDC',
        listedAssetAmount: String(coins * 10n ** 8n),
        pricePerCoin,
        settlementCurrencyType: 'CRYPTO',
        paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
        paymentDetails: ''
      }
      return (await send('/p2p/order', body, bearer)).data.id as string
    }
    await sell(200n, '0.0495')
    await app.sandbox?.trader.buyFrom(email)
    await send(`/p2p/order/${await sell(300n, '0.06')}/cancel`, {}, bearer)
    await sell(400n, '0.0505')
    const { data: book } = await (await app.api.request('/v1/p2p/orders', { headers: bearer }, LOCAL)).json()
    await send(`/p2p/order/${book[0].id}/fill`, { amount: String(1000n * 10n ** 8n) }, bearer)
  }

  let completed = ''
  const events: Record<number, () => Promise<unknown>> = {
    2: () => credit('BTC', 'spot', 2_200_000n),
    60: async () => {
      const { id, cents } = await order(83)
      await pay(id, cents)
    },
    120: () => credit('ETH', 'spot', 35n * 10n ** 16n),
    200: async () => {
      const { id, cents } = await order(19)
      completed = id
      await pay(id, cents)
    },
    300: () => credit('USDC', 'spot', 1_250_000_000n),
    345: () => credit('CPC', 'reward', 350_000_000_000n)
  }
  for (let day = 0; day < DAYS; day += 1) {
    await dailyRatesJob(context, rates).run({}, { id: 0n, createdAt: clock() })
    await events[day]?.()
    now += DAY_MS
  }
  now = end - 3 * 3_600_000
  const short = await order(85)
  await app.api.request(
    `/v1/orders/combo/${short.id}/purchase`,
    {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...short.headers },
      body: '{}'
    },
    LOCAL
  )
  await pay(short.id, short.cents - 1n)
  const announced = await order(86)
  await app.api.request(
    `/v1/orders/combo/${announced.id}/purchase`,
    {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...announced.headers },
      body: '{}'
    },
    LOCAL
  )
  const open = await order(82)
  await trade()
  const { pair, headers } = await freshBearer()
  await app.sandbox?.deliverMail()
  await app.close()
  const orders = { completed, unfit: short.id, announced: announced.id, open: open.id }
  return { ...pair, cookie: cookieOf(headers, 'session'), email, orders }
}
