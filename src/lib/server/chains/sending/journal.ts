/**
 * The signer's own record of what it has signed, in a file outside the database. Somebody who can write to the database, or who restores
 * an old copy of it, cannot make the signer pay twice, pay somebody else, or exceed its limits. An entry is written before the bytes leave
 * the signer; payments that the database lacks are restored from here. Each entry holds the hash of the one before, so that one that was
 * changed or taken out is noticed.
 */
import { createHash } from 'node:crypto'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import { type Counted, type ExceededLimit, exceededLimit, type SignerLimits } from '#lib/domain/chains/signerLimits.ts'
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
  /** The value in USD cents that counts against the limits; 0 for payments between our own wallets, and for replacements that conflict. */
  cents: bigint
  /** The customer's id, hashed; undefined for payments between our own wallets and in entries of earlier releases. */
  customer?: string | undefined
  at: Date
}

export class SignerLimitError extends Error {
  override name = 'SignerLimitError'
  readonly limit: ExceededLimit
  constructor(limit: ExceededLimit) {
    super(`A limit of the signer is reached: ${limit}`)
    this.limit = limit
  }
}

/** What the limits ask of a payment. */
type Limited = Pick<Entry, 'chain' | 'token' | 'receiver' | 'amount' | 'cents' | 'customer' | 'purpose' | 'attempt'>

export type Journal = {
  /** All attempts of a send, in order. */
  of: (sendId: string) => Entry[]
  /** True if these bytes were signed already. */
  has: (transactionId: string) => boolean
  /** All attempts on a chain that were signed since `from`, in order. */
  since: (chain: Chain, from: Date) => Entry[]
  /** The highest nonce that was signed for each account of a chain. */
  lastNonces: (chain: Chain) => Map<string, bigint>
  /** All attempts of an account with this nonce or a later one, in order. */
  fromNonce: (chain: Chain, from: string, nonce: bigint) => Entry[]
  /** The nonce after the highest one that was signed for an account; 0 if none was. */
  nextNonce: (chain: Chain, from: string) => bigint
  /** Among these attempts of the database, those that are missing here and were signed after the journal was last accepted. */
  missing: (attempts: { transactionId: string; signedAt: Date }[]) => string[]
  /** From now on, what was signed before may be missing: its journal was lost, and an operator has agreed to go on without it. */
  accept: (by: string, why: string, at: Date) => void
  /** From now on, coins may be moved to this key: its holder has signed the challenge. */
  keepColdProof: (proof: { keyId: string; signature: string; by: string; why: string; at: Date }) => void
  /** The amount of a token that was signed for cold storage since then. */
  movedToCold: (token: ChainToken, from: Date) => bigint
  /** The signatures by which the holder of a cold key has proved to have it. */
  coldProofs: (keyId: string) => string[]
  /** The newest entry of the staff's audit log that was signed here; so that a log that was cut off with its heads is noticed. */
  lastAuditHead: () => { entryId: bigint; hash: string } | undefined
  keepAuditHead: (head: { entryId: bigint; hash: string; at: Date }) => void
  /**
   * Says of each payment which limit it would exceed after what was signed in the 24 hours before `at`, and after those before it in the list
   * that exceed none; undefined: it may be signed. `newestTime`: the time of the chain's newest block. The 24 hours begin at the earlier of the
   * two times, so that a clock that is moved on does not empty the day.
   */
  judge: (payments: Limited[], limits: SignerLimits, at: Date, newestTime?: Date) => (ExceededLimit | undefined)[]
  /** Writes all of the entries, which were signed at one time, or none. Throws SignerLimitError if one of them would exceed a limit (`judge`). */
  write: (entries: Entry[], limits: SignerLimits, newestTime?: Date) => void
  /** A whole copy, also of what is still in the write-ahead log. */
  copyTo: (file: string) => Promise<void>
  close: () => void
}

/** The journal's file is not what the signer has written. */
export class JournalError extends Error {
  override name = 'JournalError'
}

type Row = { entry: string }
type DayRow = { token: string; amount: string; cents: string; customer: string | null; first: number }
const BIG = ['amount', 'mostFee', 'nonce', 'price', 'tip', 'networkFee', 'expiresAt', 'cents']
const DAY_MS = 24 * 3_600_000
const NEW_MS = 7 * DAY_MS

function read({ entry }: Row): Entry {
  return JSON.parse(entry, (key, value) => {
    if (BIG.includes(key)) return value === null ? null : BigInt(value)
    return key === 'at' ? new Date(value) : value
  })
}

function writeText(entry: Entry): string {
  return JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/** The id of a customer as the journal keeps it. */
export function customerHash(userId: string): string {
  return createHash('sha256').update(`customer:${userId}`).digest('hex')
}

/** The hash that ties an entry to all before it. */
const linkOf = (before: string, entry: string) => createHash('sha256').update(`${before}\n${entry}`).digest('hex')

/** Brings the file of an earlier release to the present tables. `user_version` counts the steps. */
function prepare(db: DatabaseSync): void {
  db.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = full;
    begin immediate;
    create table if not exists signed (
      send_id text not null, attempt integer not null, chain text not null, cents text not null, at integer not null,
      entry text not null, primary key (send_id, attempt)
    ) strict;
    create index if not exists signed_at on signed (chain, at);`)
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number }
  if (version < 1) {
    // What limits ask for, out of the entries themselves.
    db.exec(`
      alter table signed add column token text as (entry ->> 'token');
      alter table signed add column amount text as (entry ->> 'amount');
      alter table signed add column receiver text as (entry ->> 'receiver');
      alter table signed add column customer text as (entry ->> 'customer');
      create index signed_receiver on signed (chain, receiver, at) where cents <> '0';
      create index signed_day on signed (at) where cents <> '0';
      alter table signed add column transaction_id text as (entry ->> 'transactionId');
      create index signed_transaction on signed (transaction_id);
      alter table signed add column link text;
      create table accepted (at integer not null, accepted_by text not null, why text not null) strict;
      pragma user_version = 1;`)
    const rows = db.prepare('select rowid, entry from signed order by rowid').all() as { rowid: number; entry: string }[]
    const set = db.prepare('update signed set link = ? where rowid = ?')
    let link = ''
    for (const { rowid, entry } of rows) {
      link = linkOf(link, entry)
      set.run(link, rowid)
    }
  }
  if (version < 2)
    db.exec(`
      alter table signed add column purpose text as (entry ->> 'purpose');
      create index signed_cold on signed (token, at) where purpose = 'cold';
      create table cold_proofs (key_id text not null, signature text not null, proved_by text not null, why text not null, at integer not null) strict;
      pragma user_version = 2;`)
  if (version < 3)
    db.exec(`
      alter table signed add column sender text as (entry ->> 'from');
      alter table signed add column nonce integer as (cast(entry ->> 'nonce' as integer));
      create index signed_nonce on signed (chain, sender, nonce);
      pragma user_version = 3;`)
  if (version < 4)
    db.exec(`
      create table audit_heads (entry_id text not null, hash text not null, at integer not null) strict;
      pragma user_version = 4;`)
  db.exec('commit')
  checkLinks(db)
}

/** Throws JournalError if an entry does not follow from the one before. */
function checkLinks(db: DatabaseSync): void {
  let before = ''
  for (const row of db.prepare('select send_id, entry, link from signed order by rowid').iterate()) {
    const { send_id: sendId, entry, link } = row as { send_id: string; entry: string; link: string | null }
    before = linkOf(before, entry)
    if (link !== before)
      throw new JournalError(`The signer's journal was changed: the entry of ${sendId} does not follow from the one before`)
  }
}

/** `file`: undefined keeps it in memory, for tests and the sandbox. */
export function openJournal(file: string | undefined): Journal {
  const db = new DatabaseSync(file ?? ':memory:')
  prepare(db)
  const of = db.prepare('select entry from signed where send_id = ? order by attempt')
  const since = db.prepare('select entry from signed where chain = ? and at >= ? order by at, attempt')
  const firstOf = db.prepare(`select min(at) as first from signed where chain = ? and receiver = ? and cents <> '0'`)
  const day = db.prepare(`
    select token, amount, cents, customer, (
      select min(f.at) from signed f where f.chain = s.chain and f.receiver = s.receiver and f.cents <> '0'
    ) as first from signed s where at >= ? and cents <> '0'`)
  const insert = db.prepare('insert into signed (send_id, attempt, chain, cents, at, entry, link) values (?, ?, ?, ?, ?, ?, ?)')
  const nonces = db.prepare('select max(nonce) as highest from signed where chain = ? and sender = ?')
  const lasts = db.prepare(
    'select sender, max(nonce) as highest from signed where chain = ? and sender is not null and nonce is not null group by sender'
  )
  const following = db.prepare('select entry from signed where chain = ? and sender = ? and nonce >= ? order by nonce, attempt')
  const newest = db.prepare('select link from signed order by rowid desc limit 1')
  const has = db.prepare('select 1 from signed where transaction_id = ? limit 1')
  const accepted = db.prepare('select max(at) as at from accepted')
  const cold = db.prepare(`select amount, attempt, chain from signed where purpose = 'cold' and token = ? and at >= ?`)
  const head = db.prepare('select entry_id, hash from audit_heads order by rowid desc limit 1')
  const proofs = db.prepare('select signature from cold_proofs where key_id = ?')

  /** What counts against the limits of the day that ends at `at`. */
  function countedSince(at: number): Counted[] {
    return (day.all(at - DAY_MS) as DayRow[]).map(({ token, amount, cents, customer, first }) => ({
      token: token as ChainToken,
      amount: BigInt(amount),
      cents: BigInt(cents),
      customer: customer ?? undefined,
      isNew: first >= at - NEW_MS
    }))
  }

  function isNewAt({ chain, receiver }: Limited, at: number): boolean {
    const { first } = firstOf.get(chain, receiver) as { first: number | null }
    return first === null || first >= at - NEW_MS
  }

  /** A further attempt conflicts with the first one, so that only one of them moves coins; on CPC it does not. */
  const moves = ({ chain, attempt }: Pick<Entry, 'chain' | 'attempt'>) => chain === 'cpc' || attempt === 0
  function movedToCold(token: ChainToken, from: Date): bigint {
    const list = cold.all(token, from.getTime()) as { amount: string; attempt: number; chain: Chain }[]
    return list.filter(moves).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  }

  function judge(payments: Limited[], limits: SignerLimits, signedAt: Date, newestTime?: Date): (ExceededLimit | undefined)[] {
    const at = Math.min(signedAt.getTime(), newestTime?.getTime() ?? Number.POSITIVE_INFINITY)
    const counted = payments.some(({ cents }) => cents > 0n) ? countedSince(at) : []
    const moved = new Map<ChainToken, bigint>()
    return payments.map((payment) => {
      const { token, amount, cents, customer, purpose } = payment
      const next = { token, amount, cents, customer, isNew: cents > 0n && isNewAt(payment, at) }
      const limit = cents > 0n ? exceededLimit(limits, counted, next) : undefined
      if (limit) return limit
      if (purpose === 'cold') {
        const sum = (moved.get(token) ?? movedToCold(token, new Date(at - DAY_MS))) + (moves(payment) ? amount : 0n)
        if (sum > limits.cold[token]) return 'cold_coins'
        moved.set(token, sum)
      }
      if (cents > 0n) counted.push(next)
      return undefined
    })
  }

  return {
    of: (sendId) => (of.all(sendId) as Row[]).map(read),
    since: (chain, from) => (since.all(chain, from.getTime()) as Row[]).map(read),
    has: (transactionId) => has.get(transactionId) !== undefined,
    judge,
    write: (entries, limits, newestTime) => {
      const [first] = entries
      if (!first) return
      // Other chains are signed at the same time: the check of the limits and the inserts are one transaction.
      db.exec('begin immediate')
      try {
        const exceeded = judge(entries, limits, first.at, newestTime).find((limit) => limit !== undefined)
        if (exceeded) throw new SignerLimitError(exceeded)
        let { link } = (newest.get() as { link: string } | undefined) ?? { link: '' }
        for (const entry of entries) {
          const text = writeText(entry)
          link = linkOf(link, text)
          insert.run(entry.sendId, entry.attempt, entry.chain, entry.cents.toString(), entry.at.getTime(), text, link)
        }
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    lastNonces: (chain) =>
      new Map(
        (lasts.all(chain) as { sender: string; highest: number }[]).map(({ sender, highest }) => [sender, BigInt(highest)])
      ),
    fromNonce: (chain, from, nonce) => (following.all(chain, from, nonce) as Row[]).map(read),
    nextNonce: (chain, from) => {
      const { highest } = nonces.get(chain, from) as { highest: string | number | null }
      return highest === null ? 0n : BigInt(highest) + 1n
    },
    missing: (attempts) => {
      const { at: since } = accepted.get() as { at: number | null }
      const counted = attempts.filter(({ signedAt }) => signedAt.getTime() > (since ?? 0))
      return counted.flatMap(({ transactionId }) => (has.get(transactionId) ? [] : [transactionId]))
    },
    accept: (by, why, at) => {
      db.prepare('insert into accepted values (?, ?, ?)').run(at.getTime(), by, why)
    },
    keepColdProof: ({ keyId, signature, by, why, at }) => {
      db.prepare('insert into cold_proofs values (?, ?, ?, ?, ?)').run(keyId, signature, by, why, at.getTime())
    },
    movedToCold,
    coldProofs: (keyId) => (proofs.all(keyId) as { signature: string }[]).map(({ signature }) => signature),
    lastAuditHead: () => {
      const row = head.get() as { entry_id: string; hash: string } | undefined
      return row && { entryId: BigInt(row.entry_id), hash: row.hash }
    },
    keepAuditHead: ({ entryId, hash, at }) => {
      db.prepare('insert into audit_heads values (?, ?, ?)').run(entryId.toString(), hash, at.getTime())
    },
    copyTo: async (copy) => {
      await backup(db, copy)
    },
    close: () => db.close()
  }
}
