/** Passkeys among the suggestions of the email field: asked for by the page itself, so it must ask little, and never twice at once. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPasskeyAutofill } from '#lib/client/access/passkeyAutofill.ts'
import { replaceTransport } from '#lib/client/platform/transport.ts'
import { pathOf } from '#lib/contract/calls.ts'

const MINUTE = 60_000
type Asked = { signal: AbortSignal; answer: (credential: unknown) => void }
let asked: Asked[]
let questions: number
let canSuggest: boolean
let nowMs: number
const chosen: object[] = []

beforeEach(() => {
  asked = []
  questions = 0
  canSuggest = true
  nowMs = 0
  chosen.length = 0
  vi.stubGlobal('window', {
    PublicKeyCredential: {
      isConditionalMediationAvailable: async () => canSuggest,
      parseRequestOptionsFromJSON: (options: object) => options
    }
  })
  vi.stubGlobal('navigator', {
    credentials: {
      get: ({ signal }: { signal: AbortSignal }) =>
        new Promise((answer, reject) => {
          asked.push({ signal, answer })
          signal.addEventListener('abort', () => reject(signal.reason))
        })
    }
  })
  replaceTransport(async (address) => {
    // Written out there, because the contract is heavier than the code.
    expect(String(address)).toMatch(new RegExp(`/v1${pathOf('passkeySignInOptions')}$`))
    questions += 1
    return Response.json({ data: { challenge: String(questions) } })
  })
})
afterEach(() => {
  replaceTransport((...args) => fetch(...args))
  vi.unstubAllGlobals()
})

const create = () =>
  createPasskeyAutofill(
    (answer) => chosen.push(answer),
    () => nowMs
  )
const askedTimes = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times))

it('asks nobody anything where the browser cannot suggest passkeys', async () => {
  canSuggest = false
  await create().offer()
  vi.stubGlobal('window', {})
  await create().offer()
  expect(questions).toBe(0)
})

it('asks once, and again when the question is about to expire', async () => {
  const autofill = create()
  void autofill.offer()
  await askedTimes(1)
  nowMs = 3 * MINUTE
  void autofill.offer()
  expect(questions).toBe(1)
  nowMs = 4 * MINUTE
  void autofill.offer()
  await askedTimes(2)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
})

it('hands on what was chosen, and asks anew afterwards', async () => {
  const autofill = create()
  void autofill.offer()
  await askedTimes(1)
  asked[0]?.answer({ toJSON: () => ({ id: 'key' }) })
  await vi.waitFor(() => expect(chosen).toEqual([{ id: 'key' }]))
  void autofill.offer()
  await askedTimes(2)
})

it('that was stopped hands on nothing, also where the browser answers late', async () => {
  const autofill = create()
  void autofill.offer()
  await askedTimes(1)
  autofill.stop()
  asked[0]?.answer({ toJSON: () => ({ id: 'key' }) })
  await vi.waitFor(() => expect(asked[0]?.signal.aborted).toBe(true))
  expect(chosen).toEqual([])
})

it('asks anew by itself where somebody looks at the page, and not where nobody does', async () => {
  vi.useFakeTimers()
  const autofill = create()
  try {
    vi.stubGlobal('document', { visibilityState: 'hidden' })
    void autofill.offer()
    nowMs = 4 * MINUTE
    await vi.advanceTimersByTimeAsync(4 * MINUTE)
    expect(questions).toBe(1)
    vi.stubGlobal('document', { visibilityState: 'visible' })
    void autofill.offer()
    nowMs = 8 * MINUTE
    await vi.advanceTimersByTimeAsync(4 * MINUTE)
    expect(questions).toBe(3)
  } finally {
    autofill.stop()
    vi.useRealTimers()
  }
})

it('that the server refuses changes nothing and says nothing', async () => {
  replaceTransport(async () => Response.json({ statusCode: 429 }, { status: 429 }))
  vi.stubGlobal('window', {
    PublicKeyCredential: {
      isConditionalMediationAvailable: async () => true,
      parseRequestOptionsFromJSON: (options: object | undefined) => {
        if (!options) throw new TypeError('no options')
        return options
      }
    }
  })
  await create().offer()
  expect(asked).toEqual([])
})
