/** A migrated database has exactly the functions and views of the `.sql` files. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReady, rowsOf } from '#lib/server/platform/db/client.ts'
import {
  createMissingFunctions,
  type MigrationSession,
  migrate,
  readDefinitions,
  readRelease
} from '#lib/server/platform/db/migrate.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const query: MigrationSession['query'] = async <Row>(text: string) =>
  rowsOf<Row>(await test.app.context.db.execute(sql.raw(text)))
const FUNCTIONS = `select proname as name, pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by 1`
const VIEWS = `select viewname as name, definition as text from pg_views where schemaname = 'public' order by 1`

describe('functions and views', () => {
  it('are those of the files', async () => {
    const { db } = test.app.context
    const [functions, views] = [await query<{ name: string; text: string }>(FUNCTIONS), await query(VIEWS)]
    const names = (kind: 'function' | 'view') =>
      readDefinitions()
        .filter((definition) => definition.kind === kind)
        .map(({ name }) => name)
        .sort()
    // Each name occurs once: functions are not overloaded.
    expect(functions.map(({ name }) => name)).toEqual(names('function'))
    expect(views.map(({ name }) => name)).toEqual(names('view'))
    // Created again from the files alone, they are the same.
    await db
      .transaction(async (tx) => {
        for (const { name } of views) await tx.execute(sql.raw(`drop view "${name}"`))
        await tx.execute(
          sql.raw(`do $$ declare f record; begin
          for f in select oid::regprocedure as signature from pg_proc where pronamespace = 'public'::regnamespace
          loop execute 'drop function ' || f.signature || ' cascade'; end loop; end $$`)
        )
        const inTransaction: MigrationSession['query'] = async <Row>(text: string) => rowsOf<Row>(await tx.execute(sql.raw(text)))
        await createMissingFunctions({ query: inTransaction })
        for (const { kind, text } of readDefinitions()) if (kind === 'view') await tx.execute(sql.raw(text))
        expect(await inTransaction(FUNCTIONS)).toEqual(functions)
        expect(await inTransaction(VIEWS)).toEqual(views)
        tx.rollback()
      })
      .catch((error: Error) => {
        if (!/rollback/i.test(error.message)) throw error
      })
  })
})

describe('a migration', () => {
  const session: MigrationSession = {
    query: async <Row>(text: string, values: unknown[] = []) =>
      query<Row>(values.reduce<string>((filled, value, index) => filled.replaceAll(`$${index + 1}`, `'${value}'`), text)),
    migrate: async () => undefined,
    isShared: false
  }

  it('that ran changes nothing when it runs again', async () => {
    expect(await migrate(session)).toEqual({ steps: 0, definitions: [] })
    expect(await isReady(test.app.context.db)).toBe(true)
  })

  it('of an older release leaves the functions of a newer one, and the database is ready for both', async () => {
    await query(`update drizzle.release set release = ${readRelease() + 1}`)
    await query("update drizzle.definitions set hash = 'of a newer file' where name = 'ledger_post'")
    expect(await migrate(session)).toEqual({ steps: 0, definitions: [] })
    expect(await isReady(test.app.context.db)).toBe(true)
    await query(`update drizzle.release set release = ${readRelease()}`)
    expect(await migrate(session)).toEqual({ steps: 0, definitions: ['ledger_post'] })
  })

  it('is awaited where a step of this release is missing', async () => {
    await query(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)'
    )
    expect(await isReady(test.app.context.db)).toBe(false)
  })
})
