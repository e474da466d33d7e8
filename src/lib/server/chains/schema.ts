/** Tables of the chains: our addresses, how far each chain was read, the coins that lie at our addresses. */
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { users } from '../access/schema.ts'
import { amount, moment, rowId } from '../platform/db/columns.ts'

/** `deposit`: given to a customer. `hot`: pays withdrawals. `change`: takes what is left of a Bitcoin payment. */
export type Purpose = 'deposit' | 'hot' | 'change'

/** Addresses of ours. The signer derives and signs each; web processes check the signature and assign it. */
export const chainAddresses = pgTable(
  'chain_addresses',
  {
    id: rowId(),
    chain: text('chain').$type<Chain>().notNull(),
    purpose: text('purpose').$type<Purpose>().notNull(),
    /** Its place in the derivation. */
    position: integer('position').notNull(),
    address: text('address').notNull(),
    /** CPC only: the numeric id and the public key (hexadecimal) of the account. */
    accountId: text('account_id'),
    publicKey: text('public_key'),
    /** The signer's signature over all of the above. */
    signature: text('signature').notNull(),
    /** The customer that it was given to; it stays theirs for ever. */
    userId: uuid('user_id').references(() => users.id),
    assignedAt: moment('assigned_at'),
    createdAt: moment('created_at').notNull()
  },
  (table) => [
    unique('chain_addresses_address').on(table.chain, table.address),
    unique('chain_addresses_position').on(table.chain, table.purpose, table.position),
    index('chain_addresses_user').on(table.userId, table.chain, table.id),
    index('chain_addresses_free').on(table.chain, table.id).where(sql`user_id is null and purpose = 'deposit'`)
  ]
)

/** The newest blocks that were read: the last one is where reading goes on, the others find where a chain was reorganised. */
export const chainBlocks = pgTable(
  'chain_blocks',
  {
    chain: text('chain').$type<Chain>().notNull(),
    height: integer('height').notNull(),
    hash: text('hash').notNull()
  },
  (table) => [primaryKey({ columns: [table.chain, table.height] })]
)

/** Why a chain is stopped, until somebody lets it go on. */
export const chainStops = pgTable(
  'chain_stops',
  {
    id: rowId(),
    chain: text('chain').$type<Chain>().notNull(),
    why: text('why').notNull(),
    actor: text('actor').notNull(),
    stoppedAt: moment('stopped_at').notNull(),
    resumedAt: moment('resumed_at'),
    resumedBy: text('resumed_by'),
    resumedWhy: text('resumed_why')
  },
  (table) => [index('chain_stops_chain').on(table.chain).where(sql`resumed_at is null`)]
)

/** Outputs of Bitcoin transactions that pay to our addresses: by these a transaction that spends ours is known as ours. */
export const chainOutputs = pgTable(
  'chain_outputs',
  {
    chain: text('chain').$type<Chain>().notNull(),
    /** `txid:index`. */
    outpoint: text('outpoint').notNull(),
    addressId: bigint('address_id', { mode: 'bigint' })
      .notNull()
      .references(() => chainAddresses.id),
    amount: amount('amount').notNull(),
    height: integer('height').notNull(),
    /** The height at which it was spent; null while it is not. */
    spentHeight: integer('spent_height')
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.outpoint] }),
    index('chain_outputs_address').on(table.addressId),
    index('chain_outputs_height').on(table.chain, table.height),
    index('chain_outputs_spent').on(table.chain, table.spentHeight).where(sql`spent_height is not null`)
  ]
)

/** The sandbox's chains; empty in production. */
export const sandboxBlocks = pgTable(
  'sandbox_blocks',
  {
    chain: text('chain').$type<Chain>().notNull(),
    height: integer('height').notNull(),
    hash: text('hash').notNull(),
    parent: text('parent').notNull(),
    transactions: jsonb('transactions').$type<StoredTransaction[]>().notNull(),
    minedAt: moment('mined_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.chain, table.height] })]
)

/** Transactions of the sandbox that wait for the next block. */
export const sandboxMempool = pgTable('sandbox_mempool', {
  id: rowId(),
  chain: text('chain').$type<Chain>().notNull(),
  transaction: jsonb('transaction').$type<StoredTransaction>().notNull()
})

/** A transaction of a block as JSON, which has no bigint. */
export type StoredTransaction = {
  id: string
  senders: string[]
  spends: string[]
  payments: { index: string; address: string; token: string; amount: string }[]
}
