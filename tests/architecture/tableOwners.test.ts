import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { foreignUses, readSources } from '#support/tableOwners.ts'

const root = fileURLToPath(new URL('../../src/lib/server', import.meta.url))
const HOUSE = {
  'access/schema.ts': "export const users = pgTable('users', {})",
  'orders/schema.ts': "export const orders = pgTable(\n  'orders',\n  {}\n)",
  'orders/orders_facts.sql': 'CREATE OR REPLACE VIEW orders_facts AS SELECT id FROM orders;'
}

describe('a table has one owner', () => {
  it('everywhere in the server', () => {
    expect(foreignUses(readSources(root))).toEqual([])
  })

  it.each([
    ['SQL in a string writes it', { 'payments/bad.ts': 'sql`update orders set status = 2`' }, 'payments/bad.ts: writes orders'],
    ['SQL in a string deletes from it', { 'p2p/bad.ts': 'sql`delete from only "users"`' }, 'p2p/bad.ts: writes users'],
    [
      'a function of the database writes it',
      { 'p2p/bad.sql': 'INSERT INTO orders (id) VALUES (1);' },
      'p2p/bad.sql: writes orders'
    ],
    [
      'SQL in a string reads it',
      { 'staking/bad.ts': 'sql`select 1 from stakes s join orders o on true`' },
      'staking/bad.ts: reads orders'
    ],
    ['a function of the database reads it', { 'p2p/bad.sql': 'SELECT 1 FROM users u;' }, 'p2p/bad.sql: reads users'],
    [
      'the query builder writes it',
      { 'notices/bad.ts': "import { users } from '../access/index.ts'\nawait db.update(users).set({})" },
      'notices/bad.ts: writes users'
    ],
    [
      'SQL in a string names the constant',
      { 'notices/bad.ts': "import { users } from '../access/index.ts'\nsql`select 1 from $" + '{users}`' },
      'notices/bad.ts: names users'
    ],
    [
      'a view is used to write it',
      { 'payments/bad.ts': 'sql`update orders_facts set status = 2`' },
      'payments/bad.ts: writes through the view orders_facts'
    ],
    [
      'its owner writes it through a view',
      { 'orders/bad.ts': 'sql`delete from orders_facts`' },
      'orders/bad.ts: writes through the view orders_facts'
    ]
  ])('noticed when %s', (_, bad, says) => {
    expect(foreignUses({ ...HOUSE, ...bad }).filter((line) => line.startsWith(says))).toHaveLength(1)
  })

  it('lets the owner do everything, and others read its views', () => {
    expect(
      foreignUses({
        ...HOUSE,
        'orders/good.ts': 'sql`insert into orders select * from orders`',
        'payments/good.ts': 'sql`select 1 from orders_facts`'
      })
    ).toEqual([])
  })
})
