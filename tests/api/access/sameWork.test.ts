/** Response time must not reveal if an address has an account: the database runs the same statements in both cases. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

let test: TestApp
let statements: string[] = []
beforeAll(async () => {
  test = await createTestApp()
  const { session } = test.app.context.db as unknown as {
    session: { prepareQuery: (query: { sql: string }, ...rest: unknown[]) => unknown }
  }
  watch(session)
})
afterAll(() => test.close())

/** Records every statement that is sent, in transactions too. */
function watch(session: { prepareQuery: (query: { sql: string }, ...rest: unknown[]) => unknown }): void {
  const prototype = Object.getPrototypeOf(session)
  const { prepareQuery } = prototype
  prototype.prepareQuery = function (query: { sql: string }, ...rest: unknown[]) {
    statements.push(query.sql)
    return prepareQuery.call(this, query, ...rest)
  }
}

async function statementsOf(path: string, email: string): Promise<string[]> {
  await test.app.worker.flush()
  statements = []
  expect((await test.send('POST', path, { body: { email } })).status).toBe(200)
  // Leave out the worker's statements: they run after the response.
  const of = statements.filter((text) => !/\bfrom "jobs"|update "jobs"|delete from "jobs"|sandbox_mails/.test(text))
  await test.app.worker.flush()
  return of
}

describe('asking for a code', () => {
  it.each(['/users/signin/otp/request', '/users/forgot-password'])(
    'by %s sends the same statements for any address',
    async (path) => {
      const { email } = await test.signUp({ unverified: true })
      const known = await statementsOf(path, email)
      const unknown = await statementsOf(path, `${randomUUID()}@example.com`)
      expect(unknown).toEqual(known)
      // An address whose sign-up was never finished.
      const unfinished = `${randomUUID()}@example.com`
      await test.send('POST', '/users/signup', { body: { email: unfinished, password: PASSWORD, phone: '+43 660 1234567' } })
      expect(await statementsOf(path, unfinished)).toEqual(known)
      expect(known.some((text) => text.includes('insert into jobs'))).toBe(true)
    }
  )

  it('of an address without an account sends no mail', async () => {
    const email = `${randomUUID()}@example.com`
    await test.send('POST', '/users/signin/otp/request', { body: { email } })
    expect(await test.mailsTo(email)).toEqual([])
  })
})
