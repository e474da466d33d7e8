import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '#support/migrationRules.ts'

/** Migrations released before the rule existed. */
const BEFORE = 13

const steps = globSync('migrations/*.sql').sort()
const definitions = globSync('src/lib/server/*/**/*.sql').sort()

describe('a step of the schema', () => {
  it.each(steps.slice(BEFORE))('%s lets processes of the last release go on', (file) => {
    expect(faultsOf(readFileSync(file, 'utf8'))).toEqual([])
  })

  it.each([
    ['renames a column', 'ALTER TABLE "users" RENAME COLUMN "a" TO "b";', 'renames'],
    ['drops a column', 'ALTER TABLE "users" DROP COLUMN "a";', 'removes'],
    ['drops a table', 'DROP TABLE "users";', 'removes'],
    ['demands a value', 'ALTER TABLE "users" ALTER COLUMN "a" SET NOT NULL;', 'demands'],
    ['adds a column that must have a value', 'ALTER TABLE "users" ADD COLUMN "a" text NOT NULL;', 'adds a column'],
    ['changes a type', 'ALTER TABLE "users" ALTER COLUMN "a" SET DATA TYPE bigint;', 'changes a type'],
    [
      'adds a state that old processes would meet',
      `ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_state_known";`,
      'widens the words'
    ],
    ['adds a CHECK at once', 'ALTER TABLE "users" ADD CONSTRAINT "c" CHECK (a > 0);', 'adds a CHECK'],
    [
      'adds a foreign key at once',
      'ALTER TABLE "orders" ADD CONSTRAINT "c" FOREIGN KEY ("a") REFERENCES "public"."users"("id");',
      'adds a CHECK'
    ],
    ['defines a function', 'CREATE OR REPLACE FUNCTION a() RETURNS void LANGUAGE sql AS $$ $$;', 'defines a function'],
    ['makes an index on a large table', 'CREATE INDEX "i" ON "postings" USING btree ("id");', 'makes an index on a large table'],
    [
      'makes an index CONCURRENTLY in a transaction',
      'CREATE INDEX CONCURRENTLY "i" ON "jobs" ("id");',
      'makes an index CONCURRENTLY'
    ]
  ])('is refused when it %s', (_, statement, says) => {
    expect(faultsOf(statement).map((fault) => fault.startsWith(says))).toEqual([true])
    expect(faultsOf(`-- reason: the column has not been read since the last release\n${statement}`)).toEqual([])
  })

  it('may add what old processes need not know', () => {
    expect(
      faultsOf(
        'ALTER TABLE "users" ADD COLUMN "a" text;--> statement-breakpoint\nALTER TABLE "users" ADD COLUMN "b" integer DEFAULT 0 NOT NULL;--> statement-breakpoint\nALTER TABLE "users" ADD CONSTRAINT "c" CHECK (b >= 0) NOT VALID;'
      )
    ).toEqual([])
    expect(faultsOf('-- no transaction\nCREATE INDEX CONCURRENTLY "i" ON "postings" ("id");')).toEqual([])
  })
})

describe('a definition', () => {
  it.each(definitions)('%s holds one function or view, named as its file', (file) => {
    const names = [...readFileSync(file, 'utf8').matchAll(/^CREATE OR REPLACE (?:FUNCTION|VIEW) (\w+)/gm)].map(([, name]) => name)
    expect(names).toEqual([file.replace(/.*\/|\.sql$/g, '')])
  })
})

describe('the release', () => {
  it('is raised in migrations/release.json with every change of a step or a definition', () => {
    const hash = createHash('sha256')
    for (const file of [...steps, ...definitions]) hash.update(`${file}\0${readFileSync(file, 'utf8')}\0`)
    const digest = hash.digest('hex').slice(0, 16)
    const kept = JSON.parse(readFileSync('migrations/release.json', 'utf8'))
    expect(kept, 'raise `release` by one if the last one was deployed, and put this digest in').toMatchObject({ digest })
  })
})
