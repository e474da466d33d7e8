import { expect, it } from 'vitest'
import { describe as keep, knowNothing, knownOf } from '#lib/server/platform/db/combined.ts'

it.each([
  [`select 'a' as x from t where id = $1 and state = 'b'`, true],
  [`select '[]', 'it''s' from t where id = $1 or name = ''`, true],
  [`select 'costs $1' from t where id = $1`, false],
  [`select 'it''s $2' from t where id = $1`, false],
  [`select '$2' -- it's\n from t where id = $1`, false],
  [`select e'it\\'s', '$2' from t where id = $1`, false]
])('of a statement with values within quotes, %s is combined with others: %s', (text, isCombined) => {
  const statements = knowNothing()
  keep(statements, text, [{ name: 'x', dataTypeID: 25 }])
  expect(knownOf(statements, text) !== undefined).toBe(isCombined)
})
