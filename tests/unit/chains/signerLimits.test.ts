/** The signer's limits, and the journal that holds their sums. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { type Counted, exceededLimit, type SignerLimits } from '#lib/domain/chains/signerLimits.ts'
import { type Entry, JournalError, openJournal } from '#lib/server/chains/sending/journal.ts'

const NO_LIMIT = { day: 10n ** 30n, payment: 10n ** 30n }
const LIMITS: SignerLimits = {
  dayCents: 10_000n,
  customerDayCents: 5_000n,
  coins: { BTC: { day: 100n, payment: 40n }, ETH: NO_LIMIT, USDC: NO_LIMIT, CPC: NO_LIMIT },
  cold: { BTC: 1n, ETH: 1n, USDC: 1n, CPC: 1n },
  newPercent: 50n
}
const one = (changed: Partial<Counted> = {}): Counted => ({
  token: 'ETH',
  amount: 1n,
  cents: 1_000n,
  customer: 'ada',
  isNew: false,
  ...changed
})

describe('exceededLimit', () => {
  it.each([
    ['nothing before', [], one(), undefined],
    ['exactly the day', [one({ cents: 9_000n, customer: 'bob' })], one(), undefined],
    ['a cent above the day', [one({ cents: 9_001n, customer: 'bob' })], one(), 'day_usd'],
    ['one payment of too many coins', [], one({ token: 'BTC', amount: 41n, cents: 1n }), 'payment_coins'],
    [
      'coins of the day',
      [one({ token: 'BTC', amount: 61n, cents: 1n })],
      one({ token: 'BTC', amount: 40n, cents: 1n }),
      'day_coins'
    ],
    ['coins of another token', [one({ token: 'CPC', amount: 61n })], one({ token: 'BTC', amount: 40n, cents: 1n }), undefined],
    ['exactly a customer’s day', [one({ cents: 4_000n })], one(), undefined],
    ['above a customer’s day', [one({ cents: 4_001n })], one(), 'customer_usd'],
    [
      'many customers, each below, to new addresses',
      ['b', 'c', 'd', 'e', 'f'].map((customer) => one({ customer, isNew: true })),
      one({ isNew: true }),
      'new_usd'
    ],
    ['as many to known addresses', ['b', 'c', 'd', 'e', 'f'].map((customer) => one({ customer, isNew: true })), one(), undefined],
    [
      'coins to new addresses',
      [one({ token: 'BTC', amount: 31n, cents: 1n, isNew: true })],
      one({ token: 'BTC', amount: 20n, cents: 1n, isNew: true }),
      'new_coins'
    ]
  ] as [string, Counted[], Counted, string | undefined][])('%s', (_, day, next, expected) => {
    expect(exceededLimit(LIMITS, day, next)).toBe(expected)
  })
})

const DAY_MS = 24 * 3_600_000
const START = Date.UTC(2026, 0, 1)
let count = 0
function entry(at: number, changed: Partial<Entry> = {}): Entry {
  count += 1
  return {
    sendId: `send-${count}`,
    attempt: 0,
    chain: 'ethereum',
    purpose: 'withdrawal',
    token: 'ETH' as ChainToken,
    receiver: '0xA',
    amount: 1n,
    mostFee: 1n,
    from: '0xhot',
    nonce: 1n,
    price: 1n,
    tip: 1n,
    networkFee: 1n,
    expiresAt: null,
    outpoints: [],
    transactionId: `0x${count}`,
    bytes: '0x',
    cents: 1_000n,
    customer: `customer-${count}`,
    at: new Date(START + at),
    ...changed
  }
}

describe('the journal', () => {
  it('writes all entries of a batch, or none: a batch that is cut in the middle leaves nothing', () => {
    const journal = openJournal(undefined)
    const [one, two] = [entry(0), entry(0)]
    expect(() => journal.write([one, two, one], LIMITS), 'the third one is written already').toThrow(/UNIQUE/)
    expect([...journal.of(one.sendId), ...journal.of(two.sendId)]).toEqual([])
    journal.write([one, two], LIMITS)
    expect([...journal.of(one.sendId), ...journal.of(two.sendId)]).toEqual([one, two])
    expect([journal.has(one.transactionId), journal.has('0xnone')]).toEqual([true, false])
  })

  it('judges each of a batch after those before it that pass, and writes none where one exceeds a limit', () => {
    const journal = openJournal(undefined)
    journal.write([entry(0, { cents: 3_000n })], LIMITS)
    const list = [1_500n, 1_000n, 500n].map((cents) => entry(1, { cents }))
    expect(journal.judge(list, LIMITS, new Date(START + 1))).toEqual([undefined, 'new_usd', undefined])
    expect(() => journal.write(list, LIMITS)).toThrow(/new_usd/)
    expect(list.flatMap(({ sendId }) => journal.of(sendId))).toEqual([])
    const cold = [LIMITS.cold.ETH, 1n].map((amount) => entry(2, { purpose: 'cold', cents: 0n, amount }))
    expect(journal.judge(cold, LIMITS, new Date(START + 2))).toEqual([undefined, 'cold_coins'])
  })

  it('counts 24 hours, and takes an address for new until seven days after its first payment', () => {
    const journal = openJournal(undefined)
    for (let at = 0; at < 5; at += 1) journal.write([entry(at)], LIMITS)
    expect(() => journal.write([entry(5)], LIMITS)).toThrow(/new_usd/)
    expect(() => journal.write([entry(5, { receiver: '0xB' })], LIMITS), 'another new address').toThrow(/new_usd/)
    journal.write([entry(DAY_MS + 10)], LIMITS)
    for (let at = 1; at <= 9; at += 1) journal.write([entry(8 * DAY_MS + at)], LIMITS)
    expect(() => journal.write([entry(8 * DAY_MS + 10, { cents: 1_001n })], LIMITS)).toThrow(/day_usd/)
    journal.write([entry(8 * DAY_MS + 10, { cents: 0n })], LIMITS)
    journal.close()
  })

  it('counts from the newest block where the clock of the machine is ahead of it: a clock moved on by a day empties nothing', () => {
    const journal = openJournal(undefined)
    const known = (at: number, cents: bigint) => entry(8 * DAY_MS + at, { cents })
    journal.write([entry(0)], LIMITS)
    for (const _ of ['one', 'another']) journal.write([known(0, 4_500n)], LIMITS)
    const tomorrow = 25 * 3_600_000
    const anHourLater = new Date(START + 8 * DAY_MS + 3_600_000)
    expect(() => journal.write([known(tomorrow, 1_001n)], LIMITS, anHourLater)).toThrow(/day_usd/)
    const coldEntry = { purpose: 'cold', cents: 0n } as const
    journal.write([entry(8 * DAY_MS, coldEntry)], LIMITS)
    expect(() => journal.write([entry(8 * DAY_MS + tomorrow, coldEntry)], LIMITS, anHourLater)).toThrow(/cold_coins/)
    journal.write([known(tomorrow, 1_001n)], LIMITS, new Date(START + 8 * DAY_MS + tomorrow))
    journal.close()
  })

  it('notices an entry that was changed or taken out', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'journal-')), 'signer.sqlite')
    const journal = openJournal(file)
    for (const at of [0, 1, 2]) journal.write([entry(at)], LIMITS)
    journal.close()
    openJournal(file).close()
    for (const change of [
      "update signed set entry = replace(entry, '0xA', '0xB') where rowid = 2",
      'delete from signed where rowid = 1'
    ]) {
      const copy = `${file}.copy`
      const db = new DatabaseSync(file)
      db.exec(`vacuum into '${copy}'`)
      db.close()
      const changed = new DatabaseSync(copy)
      changed.exec(change)
      changed.close()
      expect(() => openJournal(copy), change).toThrow(JournalError)
      rmSync(copy)
    }
  })

  it('knows which payments of the database it lacks, until somebody accepts it', () => {
    const journal = openJournal(undefined)
    const known = entry(0)
    journal.write([known], LIMITS)
    const attempts = [
      { transactionId: known.transactionId, signedAt: known.at },
      { transactionId: '0xlost', signedAt: new Date(START + 5) }
    ]
    expect(journal.missing(attempts)).toEqual(['0xlost'])
    journal.accept('staff:grace', 'The disk is gone.', new Date(START + 10))
    expect(journal.missing(attempts)).toEqual([])
    expect(journal.missing([{ transactionId: '0xnew', signedAt: new Date(START + 11) }])).toEqual(['0xnew'])
    journal.close()
  })

  it('of an earlier release is read on: its payments count, and its addresses are known', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'journal-')), 'signer.sqlite')
    const old = new DatabaseSync(file)
    old.exec(`create table signed (
      send_id text not null, attempt integer not null, chain text not null, cents text not null, at integer not null,
      entry text not null, primary key (send_id, attempt)
    ) strict;
    create index signed_at on signed (chain, at)`)
    const before = entry(0, { customer: undefined, cents: 9_000n })
    const text = JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
    old.prepare('insert into signed values (?, ?, ?, ?, ?, ?)').run(before.sendId, 0, 'ethereum', '9000', START, text)
    old.close()
    for (const _ of ['first', 'again']) {
      const journal = openJournal(file)
      expect(journal.of(before.sendId)).toEqual([before])
      expect(() => journal.write([entry(1, { cents: 1_001n })], LIMITS)).toThrow(/day_usd/)
      journal.close()
    }
    const journal = openJournal(file)
    for (let at = 1; at <= 10; at += 1) journal.write([entry(9 * DAY_MS + at)], LIMITS)
    journal.close()
  })
})
