/** Statements that are asked often are prepared by themselves. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Connection, openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'

const isPostgres = process.env.ENGINE === 'postgres'
let connection: Connection

beforeAll(async () => {
  if (isPostgres)
    connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 1, onLost: () => undefined })
})
afterAll(() => connection?.close())

const ask = async (value: number) =>
  rowsOf<Record<string, number>>(await connection.db.execute(sql`select * from often where a = ${value}`))
const prepared = async () =>
  rowsOf<{ statement: string }>(
    await connection.db.execute(sql.raw("select statement from pg_prepared_statements where statement like '%from often%'"))
  )

it.skipIf(!isPostgres)('from the third time on, and once a connection', async () => {
  await connection.db.execute(sql.raw('create table often (a int)'))
  await connection.db.execute(sql.raw('insert into often values (1), (2)'))
  expect([await ask(1), await ask(2)]).toEqual([[{ a: 1 }], [{ a: 2 }]])
  expect(await prepared()).toEqual([])
  for (const value of [1, 2, 1, 2]) expect(await ask(value)).toEqual([{ a: value }])
  expect(await prepared()).toHaveLength(1)
})

it.skipIf(!isPostgres)('and answer as before where a newer release changed what they read', async () => {
  await connection.db.execute(sql.raw('alter table often add column b int default 7'))
  expect(await ask(1)).toEqual([{ a: 1, b: 7 }])
  // Inside a transaction the plan is given up, and the next try asks anew.
  for (let use = 0; use < 3; use += 1) await ask(1)
  await connection.db.execute(sql.raw('alter table often add column c int default 8'))
  await expect(connection.db.transaction((tx) => tx.execute(sql`select * from often where a = ${1}`))).rejects.toThrow()
  expect(await ask(1)).toEqual([{ a: 1, b: 7, c: 8 }])
})
