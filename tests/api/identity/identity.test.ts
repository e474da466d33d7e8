import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sumsubIdentity } from '#lib/server/identity/adapters/sumsub.ts'
import { identityChecks, identityEvents } from '#lib/server/identity/schema.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const SECRET = 'app-secret'
const WEBHOOK_SECRET = 'webhook-secret'

type Asked = { method: string; path: string; body: string }
let provider: Server
let asked: Asked[] = []
let broken = false
let applicants: Record<string, object> = {}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Speaks Sumsub's documented protocol: refuses wrongly signed requests and serves applicants. Returns its URL. */
async function startProvider(): Promise<string> {
  provider = createServer(async (req, res) => {
    const body = await readBody(req)
    const path = req.url ?? ''
    const { 'x-app-token': token, 'x-app-access-ts': ts, 'x-app-access-sig': signature } = req.headers
    const expected = createHmac('sha256', SECRET).update(`${ts}${req.method}${path}${body}`).digest('hex')
    const answer = (status: number, json: object) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (broken) return answer(500, { description: 'Ada Lovelace could not be found' })
    if (token !== 'app-token' || signature !== expected || !/^\d{10}$/.test(String(ts)))
      return answer(401, { code: 401, errorCode: 4003, description: 'app-token-signature mismatch' })
    asked.push({ method: req.method ?? '', path, body })
    if (path === '/resources/sdkIntegrations/levels/-/websdkLink')
      return answer(200, { url: 'https://in.sumsub.com/websdk/p/abc' })
    const id = /^\/resources\/applicants\/-;externalUserId=([\w-]+)\/one$/.exec(path)?.[1]
    return id && applicants[id] ? answer(200, applicants[id]) : answer(404, { description: 'not found' })
  })
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
}

let test: TestApp
beforeAll(async () => {
  const url = await startProvider()
  const config = { url, appToken: 'app-token', secretKey: SECRET, webhookSecret: WEBHOOK_SECRET, level: 'basic-kyc-level' }
  test = await createTestApp({ ports: (ports) => ({ ...ports, identity: sumsubIdentity(config, () => new Date()) }) })
})
beforeEach(() => {
  asked = []
  broken = false
})
afterAll(async () => {
  await test.close()
  provider.close()
})

type Event = Partial<{
  type: string
  reviewStatus: string
  answer: string
  reject: string
  at: string
  extra: string
  level: string
}>

function eventOf(customer: Pick<Customer, 'userId'>, event: Event) {
  const {
    type = 'applicantReviewed',
    reviewStatus = 'completed',
    answer,
    reject,
    at = '2026-11-21 12:00:00.000',
    extra,
    level = 'basic-kyc-level'
  } = event
  return {
    type,
    applicantId: '5cb56e8e0a975a35f333cb83',
    inspectionId: '5cb56e8e0a975a35f333cb84',
    correlationId: randomUUID(),
    externalUserId: customer.userId,
    levelName: level,
    reviewStatus,
    ...(answer && {
      reviewResult: { reviewAnswer: answer, ...(reject && { reviewRejectType: reject, rejectLabels: ['FORGERY'] }) }
    }),
    createdAtMs: at,
    ...(extra && { extra })
  }
}

async function deliver(event: object, { algorithm = 'sha256', secret = WEBHOOK_SECRET, body = JSON.stringify(event) } = {}) {
  return test.send('POST', '/identity/webhook', {
    body,
    headers: {
      'x-payload-digest': createHmac(algorithm, secret).update(body).digest('hex'),
      'x-payload-digest-alg': `HMAC_${algorithm.toUpperCase()}_HEX`
    }
  })
}

const ADA = {
  id: '5cb56e8e0a975a35f333cb83',
  info: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dob: '1990-12-10',
    country: 'AUT',
    addresses: [{ street: 'Secret Street 1' }],
    idDocs: [{ idDocType: 'PASSPORT', country: 'AUT', number: 'P1234567', validUntil: '2034-01-01', mrzLine1: 'P<AUTLOVELACE' }]
  },
  review: { reviewStatus: 'completed' }
}

async function someone(): Promise<Customer> {
  const customer = await test.customer({ unverified: true })
  applicants = { ...applicants, [customer.userId]: ADA }
  return customer
}
const kyc = async ({ token }: Customer) => (await test.send('GET', '/users/kyc-data', { token })).body.data
const statusOf = async (customer: Customer) => (await kyc(customer))?.review.reviewStatus
const outcome = async (answer: ReturnType<typeof deliver>) => (await answer).body.data?.outcome

describe('the link to the check', () => {
  it('is asked of the provider, signed, for 1800 s', async () => {
    const customer = await someone()
    const answer = await test.send('POST', '/users/get-kyc-link', { body: { ttlInSecs: 1800 }, token: customer.token })
    expect(answer.body.data).toEqual({ url: 'https://in.sumsub.com/websdk/p/abc', expiresAt: expect.any(String) })
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      levelName: 'basic-kyc-level',
      userId: customer.userId,
      ttlInSecs: 1800,
      applicantIdentifiers: { email: customer.email }
    })
  })

  it('is never valid for longer, and a verified customer gets none', async () => {
    const customer = await someone()
    const send = (body: object) => test.send('POST', '/users/get-kyc-link', { body, token: customer.token })
    expect((await send({ ttlInSecs: 1801 })).status).toBe(422)
    await deliver(eventOf(customer, { answer: 'GREEN' }))
    expect((await send({})).body.code).toBe('kyc_completed')
  })

  it('that cannot be had answers 503, without the provider’s words', async () => {
    const customer = await someone()
    broken = true
    const answer = await test.send('POST', '/users/get-kyc-link', { body: {}, token: customer.token })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(JSON.stringify(answer.body)).not.toContain('Ada')
  })
})

describe('an event of the provider', () => {
  it('takes a check from begun to passed, and keeps no more than the profile shows', async () => {
    const customer = await someone()
    expect(await kyc(customer)).toBeNull()
    await deliver(eventOf(customer, { type: 'applicantCreated', reviewStatus: 'init', at: '2026-11-21 12:00:00.000' }))
    expect(await statusOf(customer)).toBe('init')
    await deliver(eventOf(customer, { type: 'applicantPending', reviewStatus: 'pending', at: '2026-11-21 12:01:00.000' }))
    expect(await statusOf(customer)).toBe('pending')
    expect(await outcome(deliver(eventOf(customer, { answer: 'GREEN', at: '2026-11-21 12:02:00.000' })))).toBe('applied')
    expect(await kyc(customer)).toEqual({
      id: '5cb56e8e0a975a35f333cb83',
      review: { reviewStatus: 'completed' },
      info: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        dob: '1990-12-10',
        country: 'AUT',
        countryName: 'Austria',
        idDocs: [{ idDocType: 'PASSPORT', number: '•••••567', validUntil: '2034-01-01' }]
      }
    })
    const rows = await test.app.context.db.select().from(identityChecks)
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      /P1234567|Secret Street|P<AUT/
    )
    expect((await test.mailsTo(customer.email))[0]?.subject).toMatch(/^Your identity is verified/)
  })

  it.each([
    ['a refusal for good', { answer: 'RED', reject: 'FINAL' }, 'rejected'],
    ['a refusal that may be handed in again', { answer: 'RED', reject: 'RETRY' }, 'retry'],
    ['a check on hold', { type: 'applicantOnHold', reviewStatus: 'onHold' }, 'onHold'],
    ['a refusal that lingers while the check is open again', { reviewStatus: 'init', answer: 'RED', reject: 'RETRY' }, 'init'],
    ['an approval that waits for a service', { reviewStatus: 'awaitingService', answer: 'GREEN' }, 'pending'],
    ['a completed review without an answer', {}, 'rejected'],
    ['an approval of another level', { answer: 'GREEN', level: 'phone-only' }, 'pending'],
    ['an approval of somebody who was deactivated', { type: 'applicantDeactivated', answer: 'GREEN' }, 'init']
  ] as [string, Event, string][])('%s verifies nobody', async (_, event, status) => {
    const customer = await someone()
    expect(await outcome(deliver(eventOf(customer, event)))).toBe('applied')
    expect(await statusOf(customer)).toBe(status)
    const order = await test.send('POST', '/orders/combo', {
      body: { comboConfigId: 82, bankAccountId: 1 },
      token: customer.token
    })
    expect(order).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
  })

  it('that was delivered before is known and changes nothing', async () => {
    const customer = await someone()
    const approval = eventOf(customer, { answer: 'GREEN', at: '2026-11-21 12:00:00.000' })
    expect(await outcome(deliver(approval))).toBe('applied')
    await deliver(eventOf(customer, { type: 'applicantReset', reviewStatus: 'init', at: '2026-11-21 13:00:00.000' }))
    expect(await outcome(deliver(approval))).toBe('known')
    expect(await kyc(customer)).toEqual({ id: expect.any(String), review: { reviewStatus: 'init' } })
  })

  it('that comes late is older than the stored status', async () => {
    const customer = await someone()
    await deliver(eventOf(customer, { answer: 'GREEN', at: '2026-11-21 12:02:00.000' }))
    expect(
      await outcome(
        deliver(eventOf(customer, { type: 'applicantPending', reviewStatus: 'pending', at: '2026-11-21 12:01:00.000' }))
      )
    ).toBe('older')
    expect(await statusOf(customer)).toBe('completed')
    const sameMoment = { type: 'applicantPending', reviewStatus: 'pending', at: '2026-11-21 12:02:00.000' }
    expect(await outcome(deliver(eventOf(customer, sameMoment)))).toBe('older')
    await deliver(eventOf(customer, { answer: 'RED', reject: 'FINAL', at: '2026-11-21 12:03:00.000' }))
    expect(await statusOf(customer)).toBe('rejected')
  })

  it('delivered ten times at once counts once', async () => {
    const customer = await someone()
    const approval = eventOf(customer, { answer: 'GREEN' })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(deliver(approval))))
    expect(outcomes.filter((one) => one === 'applied')).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'known')).toHaveLength(9)
    const mails = (await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Your identity is verified'))
    expect(mails).toHaveLength(1)
  })

  it('with the same result as another is mailed once', async () => {
    const customer = await someone()
    const at = (minute: number) => `2026-11-21 12:0${minute}:00.000`
    await deliver(eventOf(customer, { answer: 'GREEN', at: at(1) }))
    expect(await outcome(deliver(eventOf(customer, { type: 'applicantWorkflowCompleted', answer: 'GREEN', at: at(2) })))).toBe(
      'applied'
    )
    const verified = async () =>
      (await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Your identity is verified')).length
    expect(await verified()).toBe(1)
    await deliver(eventOf(customer, { type: 'applicantReset', reviewStatus: 'init', at: at(3) }))
    await deliver(eventOf(customer, { answer: 'GREEN', at: at(4) }))
    expect(await verified()).toBe(2)
  })

  it('is not lost while the provider is unreachable: it is taken when it comes again', async () => {
    const customer = await someone()
    const approval = eventOf(customer, { answer: 'GREEN' })
    broken = true
    expect((await deliver(approval)).status).toBe(503)
    expect(await kyc(customer)).toBeNull()
    broken = false
    expect(await outcome(deliver(approval))).toBe('applied')
  })

  it.each(['sha256', 'sha512'])('is taken with a signature by %s', async (algorithm) => {
    expect(await outcome(deliver(eventOf(await someone(), { answer: 'GREEN' }), { algorithm }))).toBe('applied')
  })

  it('without a right signature is refused and not stored', async () => {
    const customer = await someone()
    const event = eventOf(customer, { answer: 'GREEN' })
    const body = JSON.stringify(event)
    const digest = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')
    const send = (text: string, headers: Record<string, string>) =>
      test.send('POST', '/identity/webhook', { body: text, headers })
    const right = { 'x-payload-digest': digest, 'x-payload-digest-alg': 'HMAC_SHA256_HEX' }
    const before = (await test.app.context.db.select().from(identityEvents)).length
    const old = createHmac('sha1', WEBHOOK_SECRET).update(body).digest('hex')
    for (const answer of [
      await send(body, {}),
      await send(body, { 'x-payload-digest': old, 'x-payload-digest-alg': 'HMAC_SHA1_HEX' }),
      await send(body, { ...right, 'x-payload-digest': digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
      await send(body, { ...right, 'x-payload-digest-alg': 'HMAC_MD5_HEX' }),
      await send(body, { ...right, 'x-payload-digest-alg': 'constructor' }),
      await send(JSON.stringify({ ...event, reviewStatus: 'init' }), right),
      await deliver(event, { secret: SECRET })
    ])
      expect(answer).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
    expect(await kyc(customer)).toBeNull()
    expect(await test.app.context.db.select().from(identityEvents)).toHaveLength(before)
  })

  it('of another kind, or about nobody we know, changes nothing and is no error', async () => {
    expect(await outcome(deliver({ type: 'applicantTagsChanged', applicantId: 'x', createdAtMs: 'nonsense' }))).toBe('ignored')
    expect(await outcome(deliver(eventOf({ userId: randomUUID() }, { reviewStatus: 'init' })))).toBe('unknown_customer')
    expect(await outcome(deliver(eventOf({ userId: "'; drop table users; --" }, { reviewStatus: 'init' })))).toBe(
      'unknown_customer'
    )
  })

  it('says nothing of a person in the log', async () => {
    const lines: unknown[] = []
    const { log } = test.app.context
    const info = log.info.bind(log)
    log.info = ((...line: unknown[]) => lines.push(line)) as typeof log.info
    const customer = await someone()
    await deliver(eventOf(customer, { answer: 'GREEN', extra: 'Lovelace' }))
    log.info = info
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toMatch(/Ada|Lovelace|PASSPORT|1990/)
  })
})

describe('a payment', () => {
  it('of somebody whose check was refused meanwhile credits nothing and is kept with its reason', async () => {
    const customer = await someone()
    await deliver(eventOf(customer, { answer: 'GREEN', at: '2026-11-21 12:00:00.000' }))
    const body = { comboConfigId: 82, bankAccountId: 1 }
    const { id, euroToPay } = (await test.send('POST', '/orders/combo', { body, token: customer.token })).body.data
    await deliver(eventOf(customer, { answer: 'RED', reject: 'FINAL', at: '2026-11-21 13:00:00.000' }))
    const payment = await test.arrive({
      entryId: randomUUID(),
      amountCents: BigInt(euroToPay.replace('.', '')),
      currency: 'EUR',
      remittance: id,
      payerName: 'Ada',
      payerIban: 'AT611904300234573201'
    })
    expect(payment.outcome).toBe('not_verified')
    expect((await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data.status).toBe(0)
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})

describe('buying', () => {
  it('without a completed check is refused by the server, when ordering and when confirming', async () => {
    const customer = await someone()
    const send = (method: string, path: string, body: object) => test.send(method, path, { body, token: customer.token })
    const refused = { status: 403, body: { statusCode: 403, code: 'kyc_required' } }
    expect(await send('POST', '/orders/combo', { comboConfigId: 82, bankAccountId: 1 })).toMatchObject(refused)
    await deliver(eventOf(customer, { answer: 'GREEN', at: '2026-11-21 12:00:00.000' }))
    const order = await send('POST', '/orders/combo', { comboConfigId: 82, bankAccountId: 1 })
    expect(order.status).toBe(200)
    await deliver(eventOf(customer, { type: 'applicantReset', reviewStatus: 'init', at: '2026-11-21 13:00:00.000' }))
    expect(await send('PATCH', `/orders/combo/${order.body.data.id}/purchase`, {})).toMatchObject(refused)
  })
})
