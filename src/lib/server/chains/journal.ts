/**
 * What the signer has signed, in a file of its own beside the database: somebody who can write to the database, or who restores an old
 * copy of it, cannot make the signer pay twice or more than its limit. An entry is written before the bytes leave the signer.
 */
import { DatabaseSync } from 'node:sqlite'

export type Entry = {
  sendId: string
  /** 0 for the first attempt of a send. */
  attempt: number
  transactionId: string
  bytes: string
  /** The rest of the attempt, as JSON. */
  facts: string
  /** Worth, in USD cents; 0 for what stays ours. */
  cents: bigint
  at: Date
}

export type Journal = {
  find: (sendId: string, attempt: number) => Entry | undefined
  /** Throws where there is an entry of this send and attempt already. */
  write: (entry: Entry) => void
  /** What sends first signed since then are worth, without this one. */
  centsSince: (since: Date, without: string) => bigint
  close: () => void
}

type Row = { send_id: string; attempt: number; transaction_id: string; bytes: string; facts: string; cents: string; at: number }

/** `file`: undefined keeps it in memory, for tests. */
export function openJournal(file: string | undefined): Journal {
  const db = new DatabaseSync(file ?? ':memory:')
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists signed (
      send_id text not null, attempt integer not null, transaction_id text not null, bytes text not null, facts text not null,
      cents text not null, at integer not null, primary key (send_id, attempt)
    ) strict;
    create index if not exists signed_at on signed (at)`)
  const find = db.prepare('select * from signed where send_id = ? and attempt = ?')
  const write = db.prepare('insert into signed values (?, ?, ?, ?, ?, ?, ?)')
  const since = db.prepare('select cents from signed where at >= ? and attempt = 0 and send_id <> ?')
  return {
    find: (sendId, attempt) => {
      const row = find.get(sendId, attempt) as Row | undefined
      return (
        row && {
          sendId: row.send_id,
          attempt: row.attempt,
          transactionId: row.transaction_id,
          bytes: row.bytes,
          facts: row.facts,
          cents: BigInt(row.cents),
          at: new Date(row.at)
        }
      )
    },
    write: ({ sendId, attempt, transactionId, bytes, facts, cents, at }) => {
      write.run(sendId, attempt, transactionId, bytes, facts, cents.toString(), at.getTime())
    },
    centsSince: (from, without) =>
      (since.all(from.getTime(), without) as Pick<Row, 'cents'>[]).reduce((sum, { cents }) => sum + BigInt(cents), 0n),
    close: () => db.close()
  }
}
