/** Tables of the chains: our addresses, the blocks that were read, our coins, and our sends. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import type { ChainOrderKind } from '#lib/domain/chains/orders.ts'
import { users } from '../access/schema.ts'
import { amount, moment, rowId } from '../platform/db/columns.ts'
import type { PasskeyAnswer } from '../staff/schema.ts'

/**
 * Addresses whose keys are derived from the seed. `deposit`: for a customer. `hot`: pays withdrawals. `change`: receives the change of Bitcoin
 * payments.
 */
export type SeedPurpose = 'deposit' | 'hot' | 'change'
/** `cold`, `cold_change`: of the key that is kept offline; `cold_change` receives the change of Bitcoin payments out of cold storage. */
export type ColdPurpose = 'cold' | 'cold_change'
export type Purpose = SeedPurpose | ColdPurpose

/** Our addresses. The signer derives and signs each; web processes check the signature and assign it. */
export const chainAddresses = pgTable(
  'chain_addresses',
  {
    id: rowId(),
    chain: text('chain').$type<Chain>().notNull(),
    purpose: text('purpose').$type<Purpose>().notNull(),
    /** Its index in the derivation. */
    position: integer('position').notNull(),
    address: text('address').notNull(),
    /** CPC only: the numeric id and the public key (hexadecimal) of the account. */
    accountId: text('account_id'),
    publicKey: text('public_key'),
    /** The signer's signature over all of the above. */
    signature: text('signature').notNull(),
    /** The customer that it was assigned to, for ever. */
    userId: uuid('user_id').references(() => users.id),
    assignedAt: moment('assigned_at'),
    /** When it was set aside: a backup was put back, and somebody may have been given it since. Nobody is given it again. */
    retiredAt: moment('retired_at'),
    createdAt: moment('created_at').notNull()
  },
  (table) => [
    unique('chain_addresses_address').on(table.chain, table.address),
    unique('chain_addresses_position').on(table.chain, table.purpose, table.position),
    index('chain_addresses_user').on(table.userId, table.chain, table.id),
    index('chain_addresses_free').on(table.chain, table.id).where(sql`user_id is null and purpose = 'deposit'`)
  ]
)

/** The newest blocks that were read: reading continues after the last one; the others show where a reorganisation began. */
export const chainBlocks = pgTable(
  'chain_blocks',
  {
    chain: text('chain').$type<Chain>().notNull(),
    height: integer('height').notNull(),
    hash: text('hash').notNull(),
    /** The block's timestamp in seconds, on chains whose transactions expire by it. */
    time: bigint('time', { mode: 'bigint' }),
    /** When we read it; null in rows of an earlier release. */
    readAt: moment('read_at')
  },
  (table) => [primaryKey({ columns: [table.chain, table.height] })]
)

/** `reading`: no blocks are read. `sending`: no coins are sent. */
export type StopKind = 'reading' | 'sending'

/** Stops of a chain, each with its reason, until an operator resumes it. */
export const chainStops = pgTable(
  'chain_stops',
  {
    id: rowId(),
    chain: text('chain').$type<Chain>().notNull(),
    kind: text('kind').$type<StopKind>().notNull().default('reading'),
    why: text('why').notNull(),
    actor: text('actor').notNull(),
    stoppedAt: moment('stopped_at').notNull(),
    resumedAt: moment('resumed_at'),
    resumedBy: text('resumed_by'),
    resumedWhy: text('resumed_why')
  },
  (table) => [index('chain_stops_chain').on(table.chain).where(sql`resumed_at is null`)]
)

/** Outputs of Bitcoin transactions to our addresses. A transaction that spends one of them pays out of our wallets. */
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
    /** Newly mined coins: may be spent once the chain has this height. */
    maturesAt: integer('matures_at'),
    /** Paid to the older spelling of the address (P2PKH): the same key spends it, with another script. */
    isOlderForm: boolean('is_older_form').notNull().default(false),
    /** The height of the block that spends it; null while it is unspent. */
    spentHeight: integer('spent_height')
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.outpoint] }),
    index('chain_outputs_address').on(table.addressId),
    index('chain_outputs_unspent').on(table.chain, table.amount).where(sql`spent_height is null`),
    index('chain_outputs_height').on(table.chain, table.height),
    index('chain_outputs_spent').on(table.chain, table.spentHeight).where(sql`spent_height is not null`)
  ]
)

/**
 * `withdrawal`: to an address of a customer. `sweep`: from a customer's address to the hot wallet. `top_up`: gas for a sweep. `lost`: was
 * signed, but the database no longer knows what for. `cancel`: takes the place of a stuck payment, to ourselves. `cold`: from the hot wallet
 * to cold storage. `refill`: from there back, signed offline by the cold key. `return`: out of `suspense`, back to whoever sent the coins.
 */
export type SendPurpose = 'withdrawal' | 'sweep' | 'top_up' | 'lost' | 'cancel' | 'cold' | 'refill' | 'return'
/** `failed`: the chain shows that it was not paid: reverted in its block, replaced by something else, or expired. */
export type SendState = 'signed' | 'confirmed' | 'failed'

/** A payment out of our wallets. Its row is made when the first bytes for it are signed. */
export const chainSends = pgTable(
  'chain_sends',
  {
    id: uuid('id').primaryKey(),
    chain: text('chain').$type<Chain>().notNull(),
    purpose: text('purpose').$type<SendPurpose>().notNull(),
    /** The account that pays; null for Bitcoin, which spends coins. */
    fromId: bigint('from_id', { mode: 'bigint' }).references(() => chainAddresses.id),
    currency: text('currency').$type<ChainToken>().notNull(),
    receiver: text('receiver').notNull(),
    /** What the receiver gets. */
    amount: amount('amount').notNull(),
    /** The highest network fee that a replacement may pay, in the chain's own token. */
    mostFee: amount('most_fee').notNull(),
    state: text('state').$type<SendState>().notNull(),
    signedAt: moment('signed_at').notNull(),
    settledAt: moment('settled_at'),
    /** When an operator released a `lost` send; it is not broadcast before. */
    releasedAt: moment('released_at'),
    /** The customer's id, hashed, as the signer's journal has it; null between our own wallets and for payments of earlier releases. */
    customer: text('customer')
  },
  (table) => [
    index('chain_sends_open').on(table.chain, table.signedAt).where(sql`state = 'signed'`),
    index('chain_sends_from').on(table.fromId),
    index('chain_sends_newest').on(table.signedAt, table.id)
  ]
)

/**
 * Signed bytes of a send. A replacement is another attempt that conflicts with the earlier ones, so that only one of them can be in the
 * chain. On CPC there is no conflict: the earlier ones must have expired.
 */
export const chainAttempts = pgTable(
  'chain_attempts',
  {
    id: rowId(),
    sendId: uuid('send_id')
      .notNull()
      .references(() => chainSends.id),
    chain: text('chain').$type<Chain>().notNull(),
    transactionId: text('transaction_id').notNull(),
    /** Broadcast as often as needed, always unchanged. */
    bytes: text('bytes').notNull(),
    /** Ethereum only. */
    nonce: bigint('nonce', { mode: 'bigint' }),
    /** The price that it offers for a unit of size, and the part of it for the block's maker. */
    price: amount('price').notNull(),
    tip: amount('tip').notNull(),
    /** The highest fee that it can cost. */
    networkFee: amount('network_fee').notNull(),
    /** CPC: the block time after which no block includes it. */
    expiresAt: bigint('expires_at', { mode: 'bigint' }),
    signedAt: moment('signed_at').notNull(),
    broadcastAt: moment('broadcast_at'),
    /** The error of the last broadcast; null if the node accepted it. */
    lastError: text('last_error'),
    /** The block that includes it. */
    height: integer('height'),
    blockHash: text('block_hash'),
    /** It is in a block, but was reverted there: only its fee was paid. */
    isUndone: boolean('is_undone').notNull().default(false),
    /** The fee that was paid; null if the block does not show it. */
    paidFee: amount('paid_fee'),
    /** The height of a block whose transaction makes this one impossible. */
    conflictHeight: integer('conflict_height')
  },
  (table) => [
    unique('chain_attempts_transaction').on(table.chain, table.transactionId),
    index('chain_attempts_send').on(table.sendId),
    index('chain_attempts_pending').on(table.chain, table.id).where(sql`height is null and conflict_height is null`),
    index('chain_attempts_nonce').on(table.chain, table.nonce).where(sql`nonce is not null`),
    index('chain_attempts_height').on(table.chain, table.height).where(sql`height is not null`),
    index('chain_attempts_conflict').on(table.chain, table.conflictHeight).where(sql`conflict_height is not null`)
  ]
)

/** What operators ordered about stuck payments, each signed by a key in a file or by a passkey. Never changed. */
export const chainOrders = pgTable(
  'chain_orders',
  {
    id: rowId(),
    sendId: uuid('send_id')
      .notNull()
      .references(() => chainSends.id),
    kind: text('kind').$type<ChainOrderKind>().notNull(),
    mostFee: amount('most_fee').notNull(),
    actor: text('actor').notNull(),
    why: text('why').notNull(),
    signature: text('signature'),
    passkey: jsonb('passkey').$type<PasskeyAnswer>(),
    orderedAt: moment('ordered_at').notNull()
  },
  (table) => [
    index('chain_orders_send').on(table.sendId),
    // The upper bound also refuses `NaN`, which PostgreSQL takes as a number above all others.
    check('chain_orders_fee', sql`${table.mostFee} >= 0 and ${table.mostFee} < 1e30`),
    check('chain_orders_signed', sql`(${table.signature} is null) <> (${table.passkey} is null)`)
  ]
)

/** The coins that an attempt spends. */
export const chainAttemptCoins = pgTable(
  'chain_attempt_coins',
  {
    attemptId: bigint('attempt_id', { mode: 'bigint' })
      .notNull()
      .references(() => chainAttempts.id),
    outpoint: text('outpoint').notNull()
  },
  (table) => [
    primaryKey({ columns: [table.attemptId, table.outpoint] }),
    index('chain_attempt_coins_outpoint').on(table.outpoint)
  ]
)

/** Our accounts, on chains that have accounts. */
export const chainAccounts = pgTable('chain_accounts', {
  addressId: bigint('address_id', { mode: 'bigint' })
    .primaryKey()
    .references(() => chainAddresses.id),
  /** Raised in the transaction that stores the signed bytes; the node's own count is never used. */
  nextNonce: bigint('next_nonce', { mode: 'bigint' }).notNull().default(sql`0`),
  /** The heights of the newest block with a payment to it, and of the oldest one whose payment is not swept yet. */
  receivedHeight: integer('received_height'),
  dueHeight: integer('due_height'),
  /** When the sweep last looked at it. The longest ago comes first, so that one that waits does not hold up the others. */
  lookedAt: moment('looked_at')
})

/** Payments out of our wallets that belong to no send of ours. One of them stops all sending on its chain. */
export const chainStrays = pgTable(
  'chain_strays',
  {
    chain: text('chain').$type<Chain>().notNull(),
    transactionId: text('transaction_id').notNull(),
    height: integer('height').notNull(),
    blockHash: text('block_hash').notNull(),
    fromId: bigint('from_id', { mode: 'bigint' }).references(() => chainAddresses.id),
    nonce: bigint('nonce', { mode: 'bigint' }),
    isUndone: boolean('is_undone').notNull().default(false),
    paidFee: amount('paid_fee'),
    /** When its block was read. Blocks themselves are kept for a short time only. */
    readAt: moment('read_at').notNull().default(sql`now()`)
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.transactionId] }),
    index('chain_strays_from').on(table.fromId, table.nonce)
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
  nonce?: string
  fee?: string
  expiresAt?: string
}

/** Simulated faults: the factor of the network's price, and how many of the next broadcasts fail. */
export const sandboxFaults = pgTable('sandbox_faults', {
  chain: text('chain').$type<Chain>().primaryKey(),
  priceTimes: integer('price_times').notNull().default(1),
  failedBroadcasts: integer('failed_broadcasts').notNull().default(0)
})
