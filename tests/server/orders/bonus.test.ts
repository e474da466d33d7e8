/** The page of the bonus packages, served by a process whose clock is set into the promotion's windows. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt, type Visitor } from '#support/visitor.ts'

describe.each([
  { at: '2025-05-02T18:00:00Z', open: undefined, until: '2025-05-03', says: 'Starts in', next: undefined },
  { at: '2025-05-12T18:00:00Z', open: '20% bonus', until: '2025-05-13', says: 'Ends in', next: 'Then 18%' },
  { at: '2025-06-21T18:00:00Z', open: '12% bonus', until: '2025-06-22', says: 'Ends in', next: 'Then 10%' }
])('at $at', ({ at, open, until, says, next }) => {
  let server: ServerProcess
  let visitor: Visitor
  let html: string
  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await freshDatabase(inject('postgresUrl')),
      CLOCK_AHEAD_MS: String(Date.parse(at) - Date.now()),
      NODE_OPTIONS: '--import ./tests/support/movedClock.mjs'
    })
    visitor = await signUpAt(server.url)
    await postJson(server.url, '/orders/promo', { code: 'ANNIVERSARY' }, visitor.token)
    html = await (await fetch(`${server.url}/buy-package/bonus`, { headers: { cookie: visitor.cookie } })).text()
  })
  afterAll(async () => {
    await server.stop()
  })

  it('says which window is open, how long still, and what comes next', () => {
    const [current] = /<li data-mark="now"[^>]*>.*?<\/li>/s.exec(html) ?? []
    if (open) expect(current).toContain(open)
    else expect(current).toBeUndefined()
    expect(html).toContain(`data-countdown="${until}T00:00:00.000Z"`)
    expect(html).toMatch(new RegExp(`${says}\\s*<b role="timer"[^>]*>05:5\\d:\\d\\d</b>`))
    if (next) expect(html).toContain(next)
  })

  it('sells what the window sells', () => {
    const sold = html.includes('name="buy"')
    expect(sold).toBe(open !== undefined)
    if (!open) expect(html).toContain('The bonus packages are not on sale yet.')
  })
})
