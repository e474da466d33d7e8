/** Customers found by what somebody names. */
import { and, eq, inArray } from 'drizzle-orm'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { users } from '../access/index.ts'
import { chainAddresses } from '../chains/index.ts'
import { deposits } from '../deposits/index.ts'
import { orders } from '../orders/index.ts'
import { traderOf } from '../p2p/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { withdrawalAddressesTable, withdrawalsOfCustomer, withdrawalsOfTransaction } from '../withdrawals/index.ts'
import { masked } from './names.ts'

const FOUND = 20
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Found = DeskAnswer<'findCustomers'>

/** By e-mail, customer, withdrawal, order or payment reference, address, transaction or nickname, each exactly as it is named. */
export async function findCustomers({ db }: Context, q: string): Promise<Found> {
  if (q === '') return []
  const columns = { id: users.id, email: users.email, since: users.createdAt }
  const of = (ids: string[]) => (ids.length > 0 ? db.select(columns).from(users).where(inArray(users.id, ids)).limit(FOUND) : [])
  const plain = q.replace(/\s/g, '')
  const [byEmail, byId, byOrder, byAddress, byReceiver, byTransaction, byNickname] = await Promise.all([
    db.select(columns).from(users).where(eq(users.email, q.toLowerCase())).limit(1),
    UUID.test(q) ? customersOfId({ db }, q.toLowerCase()) : [],
    db
      .select(columns)
      .from(orders)
      .innerJoin(users, eq(users.id, orders.userId))
      .where(eq(orders.id, plain.toUpperCase()))
      .limit(1),
    db
      .select(columns)
      .from(chainAddresses)
      .innerJoin(users, eq(users.id, chainAddresses.userId))
      .where(and(inArray(chainAddresses.chain, [...CHAINS]), eq(chainAddresses.address, q)))
      .limit(FOUND),
    db
      .selectDistinct(columns)
      .from(withdrawalAddressesTable)
      .innerJoin(users, eq(users.id, withdrawalAddressesTable.userId))
      .where(eq(withdrawalAddressesTable.address, q))
      .limit(FOUND),
    customersOfTransaction(db, plain).then(of),
    traderOf(db, q).then((id) => of(id ? [id] : []))
  ])
  const all = [
    ...byEmail.map((row) => ({ ...row, foundBy: 'e-mail' })),
    ...byId,
    ...byOrder.map((row) => ({ ...row, foundBy: 'order' })),
    ...byAddress.map((row) => ({ ...row, foundBy: 'deposit address' })),
    ...byReceiver.map((row) => ({ ...row, foundBy: 'withdrawal address' })),
    ...byTransaction.map((row) => ({ ...row, foundBy: 'transaction' })),
    ...byNickname.map((row) => ({ ...row, foundBy: 'nickname' }))
  ]
  const seen = new Set<string>()
  return all
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(({ id, email, since, foundBy }) => ({ id, email: masked(email), since: since.toISOString(), foundBy }))
}

/** Whose deposit or withdrawal a transaction of a chain is. */
async function customersOfTransaction(db: Executor, transactionId: string): Promise<string[]> {
  if (!/^(0x)?[0-9a-fA-F]{16,64}$|^\d{10,20}$/.test(transactionId)) return []
  const named = [...new Set([transactionId, transactionId.toLowerCase()])]
  const came = await db
    .selectDistinct({ userId: deposits.userId })
    .from(deposits)
    .where(and(inArray(deposits.chain, [...CHAINS]), inArray(deposits.transactionId, named)))
    .limit(FOUND)
  const went = await withdrawalsOfTransaction(db, named)
  return [...new Set([...came.map(({ userId }) => userId), ...went])].filter((id) => id !== null)
}

async function customersOfId({ db }: Pick<Context, 'db'>, id: string) {
  const columns = { id: users.id, email: users.email, since: users.createdAt }
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  if (user) return [{ ...user, foundBy: 'customer' }]
  const [withdrawal] = await withdrawalsOfCustomer(db, { id })
  const [owner] = withdrawal ? await db.select(columns).from(users).where(eq(users.id, withdrawal.userId)) : []
  return owner ? [{ ...owner, foundBy: 'withdrawal' }] : []
}
