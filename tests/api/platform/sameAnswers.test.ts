/** What a page asks together, and what is built once, is answered as a statement that is asked alone. */
import { asc, eq, gte, sql } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { bigint, boolean, date, integer, jsonb, numeric, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtOnce } from '#lib/server/platform/db/builtOnce.ts'
import { type Executor, isForPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { databaseError } from '#lib/server/platform/db/faults.ts'
import { reading } from '#lib/server/platform/db/pageReads.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'
let test: TestApp
let db: Executor

const things = pgTable('things', {
  id: integer('id').primaryKey(),
  key: uuid('key'),
  name: text('name'),
  size: bigint('size', { mode: 'bigint' }),
  price: numeric('price'),
  isOn: boolean('is_on'),
  day: date('day'),
  at: timestamp('at', { withTimezone: true }),
  facts: jsonb('facts').$type<unknown>(),
  names: text('names').array(),
  other: integer('other')
})

const KEY = '0191e7a0-0000-7000-8000-00000000000a'
const AT = new Date('2026-03-29T01:30:00.123Z')
const NOTHING = {
  key: null,
  name: null,
  size: null,
  price: null,
  isOn: null,
  day: null,
  at: null,
  facts: null,
  names: null,
  other: null
}
const ROWS: (typeof things.$inferSelect)[] = [
  {
    id: 1,
    key: KEY,
    name: `a "quoted" \\ back\\u0041 \n\t{"x":[1]} 'it''s' ü € 😀`,
    size: 9_007_199_254_740_993n,
    price: '0.100000000000000000000000001',
    isOn: true,
    day: '2026-03-29',
    at: AT,
    facts: { a: [1, 'zwei', null, { b: '"' }] },
    names: ['a,b', '"', '{}', 'NULL', ''],
    other: 2
  },
  { ...NOTHING, id: 2, name: '', isOn: false, facts: [], names: [], size: -1n, price: '0', other: 3 },
  { ...NOTHING, id: 3, name: '[]', facts: 7 }
]
const OTHERS = `select id, name::varchar as v, key, is_on, size, id::smallint as s, price, id::float8 / 3 as f, day, at, at::timestamp as plain,
  facts, facts::json as j, names, array[id, 2] as numbers, array[key] as keys, 
  convert_to(name, 'UTF8') as bytes, interval '1 day 2 hours' as i, null as nothing, name::name as called from things order by id`

beforeAll(async () => {
  test = await createTestApp({ env: { ROLE: 'web' } })
  db = test.app.context.db
  await db.execute(
    sql.raw(`create table things (id int primary key, key uuid, name text, size bigint, price numeric, is_on boolean, day date, at timestamptz,
      facts jsonb, names text[], other int)`)
  )
  await db.insert(things).values(ROWS)
})
afterAll(() => test?.close())

// The embedded database is asked one statement after the other.
describe.skipIf(!isPostgres)('asked together', () => {
  it('is answered as alone, whatever the types', async () => {
    // A statement in text alone is not combined: these have a value each.
    const ask = (text: string, value: unknown) => db.execute(sql`${sql.raw(text)} limit ${value}`)
    const asked = [
      OTHERS,
      'select id from things where id > 7',
      'select null from things',
      `select id, 'x'::char(4) as padded, '10.0.0.0/8'::inet as net from things order by id`,
      'select count(*), max(name) from things'
    ]
    const alone = await Promise.all(asked.map((text) => ask(text, 9)))
    // The first page learns their columns; the second one asks them as one statement.
    for (let page = 0; page < 2; page += 1) {
      const together = await reading(() => Promise.all(asked.map((text) => ask(text, 9))))
      expect(together.map(rowsOf)).toEqual(alone.map(rowsOf))
    }
  })

  it('is one question where it is the same, and another one with other values', async () => {
    const ask = (id: unknown) => db.execute(sql`select id, name from things where id = ${id}`)
    const idsOf = async (...ids: unknown[]) =>
      (await reading(() => Promise.all(ids.map(ask)))).map((answer) => rowsOf<{ id: number }>(answer).map(({ id }) => id))
    for (let page = 0; page < 3; page += 1) expect(await idsOf(1, '1', 2, 3, 9, 1)).toEqual([[1], [1], [2], [3], [], [1]])
  })

  it('is answered as alone after a column has changed its type', async () => {
    await db.execute(sql.raw(`create table changing (id int, figure text)`))
    await db.execute(sql.raw(`insert into changing values (1, '9007199254740993')`))
    const ask = (id: number) => db.execute(sql`select figure from changing where id = ${id}`)
    const askTwo = async () => (await reading(() => Promise.all([ask(1), ask(2)]))).map(rowsOf)
    const expected = [[{ figure: '9007199254740993' }], []]
    for (let page = 0; page < 3; page += 1) expect(await askTwo()).toEqual(expected)
    await db.execute(sql.raw('alter table changing alter figure type numeric using figure::numeric'))
    for (let page = 0; page < 3; page += 1) expect(await askTwo()).toEqual(expected)
  })
})

const USE = { id: sql.placeholder('id'), since: sql.placeholder('since') }
const flat = (on: Executor) => on.select().from(things).where(gte(things.id, USE.id)).orderBy(asc(things.id)).prepare('flat')
const chosen = (on: Executor) =>
  on
    .select({
      at: things.at,
      double: sql<number>`${things.id} * 2`,
      named: sql<string>`coalesce(${things.name}, 'none')`.as('named')
    })
    .from(things)
    .where(eq(things.at, USE.since))
    .prepare('chosen')
const joined = (on: Executor) => {
  const others = on.select({ id: things.id, name: things.name, key: things.key }).from(things).as('others')
  return on
    .select({ thing: things, other: { id: others.id, name: others.name }, size: things.size })
    .from(things)
    .leftJoin(others, eq(others.id, things.other))
    .where(gte(things.id, USE.id))
    .orderBy(asc(things.id))
    .prepare('joined')
}

describe('built once', () => {
  it('reads rows as drizzle does', async () => {
    expect(await builtOnce(flat)(db).execute({ id: 1 })).toEqual(ROWS)
    for (const values of [{ id: 1 }, { id: 3 }, { id: 4 }])
      for (const build of [flat, joined])
        expect(await builtOnce<ReturnType<typeof build>>(build as never)(db).execute(values)).toEqual(
          await build(db).execute(values)
        )
    expect(await builtOnce(joined)(db).execute({ id: 2 })).toMatchObject([{ other: { id: 3, name: '[]' } }, { other: null }])
    expect(await builtOnce(chosen)(db).execute({ since: AT })).toEqual([{ at: AT, double: 2, named: ROWS[0]?.name }])
  })

  it('each of several', async () => {
    const several = builtOnce((on) => ({ flat: flat(on), chosen: chosen(on) }))(db)
    expect(await several.flat.execute({ id: 1 })).toEqual(ROWS)
    expect(await several.chosen.execute({ since: AT })).toHaveLength(1)
    // Drizzle's own `execute`, which finds everything out with each call, belongs to the class.
    const isOurs = (query: object) => Object.hasOwn(query, 'execute')
    expect(Object.values(several).map(isOurs)).toEqual(Object.values(several).map(isForPostgres))
  })

  it('also for a page', async () => {
    const [once, twice] = [builtOnce(flat), builtOnce(joined)]
    for (let page = 0; page < 2; page += 1) {
      const asked = () => Promise.all([once(db).execute({ id: 1 }), twice(db).execute({ id: 1 }), once(db).execute({ id: 4 })])
      expect(await reading(asked)).toEqual([ROWS, await joined(db).execute({ id: 1 }), []])
    }
  })

  it('fails as drizzle does', async () => {
    await expect(builtOnce(flat)(db).execute({})).rejects.toThrow('No value for placeholder "id"')
    const failed = await builtOnce(flat)(db)
      .execute({ id: 'no number' })
      .catch((error: unknown) => error)
    const theirs = await flat(db)
      .execute({ id: 'no number' })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(DrizzleQueryError)
    expect(String(failed)).toBe(String(theirs))
    expect(databaseError(failed).code).toBe('22P02')
  })
})
