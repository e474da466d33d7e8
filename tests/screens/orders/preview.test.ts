import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOrderDetails } from '#lib/client/orders/orderDetails.ts'
import { createPreview, mayDeclare, TERMS } from '#lib/client/orders/preview.ts'
import { startSession } from '#lib/client/platform/session.ts'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { currentTerms } from '#lib/server/legal/index.ts'
import { unknownTexts as texts } from '#messages/platform/unknown.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'
import type { Customer } from '#support/testApp.ts'

let test: ScreenTest
let customer: Customer
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(async () => {
  test.reset()
  customer = await test.customer()
  startSession(customer)
})
afterAll(() => test.close())

const PTC_1000 = 82
const totalOrders = async () => (await test.send('GET', '/orders/combo', { token: customer.token })).body.data.total

function openPreview(first?: Order, comboConfigId = PTC_1000) {
  const kept: Order[] = []
  const screen = createPreview(comboConfigId, first, currentTerms(ORDER_TERMS) as never, (order) => kept.push(order))
  return { screen, kept }
}

describe('the preview', () => {
  it('makes the order once and keeps it in the address', async () => {
    const { screen, kept } = openPreview()
    await Promise.all([screen.load(), screen.load()])
    await screen.load()
    expect(kept).toHaveLength(1)
    expect(screen.state.get().order).toMatchObject({ id: kept[0]?.id, status: 0, euroToPay: '956.80' })
    expect(await totalOrders()).toBe(1)
  })

  it('makes no order where the address names one', async () => {
    const first = openPreview()
    await first.screen.load()
    const { screen } = openPreview(first.screen.state.get().order)
    await screen.load()
    expect(await totalOrders()).toBe(1)
    expect(test.asked.filter((path) => path === '/v1/orders/combo')).toHaveLength(1)
  })

  it('after a lost answer says so, and asks again by itself for the same order', async () => {
    const { screen } = openPreview()
    test.breakNext('answer lost')
    await screen.load()
    expect(test.said()).toEqual([texts.askingAgain])
    expect(screen.state.get()).toMatchObject({ order: { status: 0 } })
    expect(screen.state.get().orderError).toBeUndefined()
    expect(await totalOrders()).toBe(1)
  })

  it('does not say that there is no order where that is not known', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { screen } = openPreview()
    test.breakAt('/v1/orders/combo', 'answer lost', 7)
    const loading = screen.load()
    while (screen.state.get().orderError === undefined) {
      await vi.advanceTimersByTimeAsync(8000)
      await new Promise((resume) => setImmediate(resume))
    }
    await loading
    vi.useRealTimers()
    expect(screen.state.get().orderError).toBe(texts.stillUnknown)
    const refused = openPreview(undefined, 9999).screen
    await refused.load()
    expect(refused.state.get().orderError).toMatch(/^We could not create your order: /)
  })

  it('lets confirm only when all three terms are ticked', async () => {
    const { screen } = openPreview()
    for (const term of TERMS) screen.tick(term, true)
    expect(mayDeclare(screen.state.get())).toBe(false)
    await screen.load()
    expect(mayDeclare(screen.state.get())).toBe(true)
    screen.tick('custody', false)
    expect(mayDeclare(screen.state.get())).toBe(false)
    await screen.declarePaid()
    expect(screen.state.get()).toMatchObject({ declared: false, order: { status: 0 } })
  })

  it('confirms once, however fast it is pressed, and then shows the dialog', async () => {
    const { screen } = openPreview()
    await screen.load()
    for (const term of TERMS) screen.tick(term, true)
    const pressed = [screen.declarePaid(), screen.declarePaid()]
    expect(screen.state.get().busy).toBe('submit')
    await Promise.all(pressed)
    expect(screen.state.get()).toMatchObject({ declared: true, busy: undefined, order: { status: 1 } })
    expect(test.asked.filter((path) => path.endsWith('/purchase'))).toHaveLength(1)
    expect(mayDeclare(screen.state.get())).toBe(false)
    screen.dismiss()
    expect(screen.state.get().declared).toBe(false)
  })

  it('still shows the confirmation when a look from before it is answered later', async () => {
    const { screen } = openPreview()
    await screen.load()
    for (const term of TERMS) screen.tick(term, true)
    const look = test.holdAt(`/v1/orders/combo/${screen.state.get().order?.id}`)
    const looking = screen.follow()
    await look.answered
    await screen.declarePaid()
    look.release()
    await looking
    expect(screen.state.get().order?.status).toBe(1)
  })

  it('says when the confirmation did not get through, keeps the ticks, and can be pressed again', async () => {
    const { screen } = openPreview()
    await screen.load()
    for (const term of TERMS) screen.tick(term, true)
    test.breakNext('answer lost')
    await screen.declarePaid()
    expect(screen.state.get()).toMatchObject({
      declared: false,
      busy: undefined,
      error: expect.stringContaining('could not reach'),
      ticked: { crypto: true }
    })
    await screen.declarePaid()
    expect(screen.state.get()).toMatchObject({ declared: true, order: { status: 1 } })
  })
})

describe('the purchase details', () => {
  it('load the order that was asked for', async () => {
    const { screen: preview } = openPreview()
    await preview.load()
    const id = preview.state.get().order?.id ?? ''
    const screen = createOrderDetails(undefined)
    await screen.open(id)
    expect(screen.state.get()).toMatchObject({ id, order: { id, fiatAmount: '1000.00' }, error: undefined })
    screen.close()
    expect(screen.state.get().id).toBeUndefined()
  })

  it("say why they can't", async () => {
    const screen = createOrderDetails(undefined)
    await screen.open('RF18539007547034')
    expect(screen.state.get()).toMatchObject({ order: undefined, error: 'Failed to load order: This order does not exist.' })
  })
})
