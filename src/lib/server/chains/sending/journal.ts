/**
 * The signer's own record of what it has signed, in a file outside the database. Somebody who can write to the database, or who restores
 * an old copy of it, cannot make the signer pay twice, pay somebody else, or exceed its limit. An entry is written before the bytes leave
 * the signer; payments that the database lacks are restored from here.
 */
import { DatabaseSync } from 'node:sqlite'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import type { SendPurpose } from '../schema.ts'

export type Entry = {
  sendId: string
  /** 0 for the first attempt of a send. */
  attempt: number
  chain: Chain
  purpose: SendPurpose
  token: ChainToken
  receiver: string
  amount: bigint
  mostFee: bigint
  /** The account that pays; null for Bitcoin. */
  from: string | null
  nonce: bigint | null
  price: bigint
  tip: bigint
  networkFee: bigint
  expiresAt: bigint | null
  outpoints: string[]
  transactionId: string
  bytes: string
  /** The value in USD cents that counts against the limit; 0 for payments between our own wallets, and for replacements that conflict. */
  cents: bigint
  at: Date
}

export class SignerLimitError extends Error {
  override name = 'SignerLimitError'
}

export type Journal = {
  /** All attempts of a send, in order. */
  of: (sendId: string) => Entry[]
  /** All attempts on a chain that were signed since `from`, in order. */
  since: (chain: Chain, from: Date) => Entry[]
  /** Throws SignerLimitError if all that was signed since `from` would exceed `cents`. */
  write: (entry: Entry, most: { cents: bigint; from: Date }) => void
  close: () => void
}

type Row = { entry: string }
const BIG = ['amount', 'mostFee', 'nonce', 'price', 'tip', 'networkFee', 'expiresAt', 'cents']

function read({ entry }: Row): Entry {
  return JSON.parse(entry, (key, value) => {
    if (BIG.includes(key)) return value === null ? null : BigInt(value)
    return key === 'at' ? new Date(value) : value
  })
}

/** `file`: undefined keeps it in memory, for tests. */
export function openJournal(file: string | undefined): Journal {
  const db = new DatabaseSync(file ?? ':memory:')
  db.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists signed (
      send_id text not null, attempt integer not null, chain text not null, cents text not null, at integer not null,
      entry text not null, primary key (send_id, attempt)
    ) strict;
    create index if not exists signed_at on signed (chain, at)`)
  const of = db.prepare('select entry from signed where send_id = ? order by attempt')
  const since = db.prepare('select entry from signed where chain = ? and at >= ? order by at, attempt')
  const worth = db.prepare('select cents from signed where at >= ?')
  const insert = db.prepare('insert into signed values (?, ?, ?, ?, ?, ?)')
  return {
    of: (sendId) => (of.all(sendId) as Row[]).map(read),
    since: (chain, from) => (since.all(chain, from.getTime()) as Row[]).map(read),
    write: (entry, most) => {
      // Other chains are signed at the same time: the check of the sum and the insert are one transaction.
      db.exec('begin immediate')
      try {
        const signed = (worth.all(most.from.getTime()) as { cents: string }[]).reduce((sum, { cents }) => sum + BigInt(cents), 0n)
        if (entry.cents > 0n && signed + entry.cents > most.cents) throw new SignerLimitError('The limit of the day is reached')
        const text = JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
        insert.run(entry.sendId, entry.attempt, entry.chain, entry.cents.toString(), entry.at.getTime(), text)
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    close: () => db.close()
  }
}
