import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCamt } from '#lib/server/payments/adapters/camt.ts'
import type { BankEntry, UnreadableEntry } from '#lib/server/payments/port.ts'
import { camt, type NtryFacts, ntry, OUR_IBAN } from '#support/camt.ts'

const entriesOf = (xml: string) => readCamt(xml, OUR_IBAN).statements.flatMap(({ entries }) => entries)
const readable = (entries: (BankEntry | UnreadableEntry)[]) => entries.flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
const why = (facts: NtryFacts) =>
  entriesOf(camt([ntry(facts)])).map((entry) => ('unreadable' in entry ? entry.unreadable : entry))
const sample = (version: string) => readFileSync(new URL(`../../fixtures/camt.053.001.${version}.xml`, import.meta.url), 'utf8')

describe('a statement', () => {
  it('of version 02 is read with days, balances, credits and debits', () => {
    const [statement] = readCamt(sample('02'), OUR_IBAN).statements
    expect(statement).toMatchObject({ statementId: '2026/225', openingCents: 50_000n, closingCents: 144_430n })
    expect(statement?.entries).toEqual([
      {
        entryId: '2026112100000017',
        direction: 'credit',
        amountCents: 95_680n,
        currency: 'EUR',
        bookedOn: '2026-11-21',
        valueOn: '2026-11-23',
        remittance: 'Order RF18 5390 0754 7034',
        payerName: 'Ada Lovelace',
        payerIban: 'AT611904300234573201',
        formerIds: ['2026112100000017'],
        toldOn: expect.any(String)
      },
      expect.objectContaining({ entryId: expect.stringMatching(/^debit\/facts:/), direction: 'debit', amountCents: 1250n })
    ])
  })

  it('of version 08 is read with the parts of a batch, and without what is pending', () => {
    const [statement] = readCamt(sample('08'), OUR_IBAN).statements
    expect(statement?.entries).toMatchObject([
      { entryId: 'PART-71', amountCents: 1000n, payerName: 'Grace Hopper', bookedOn: '2026-11-22' },
      { entryId: 'BATCH-7/1', amountCents: 2000n, remittance: 'Café & more' }
    ])
  })

  it('that is still being written is refused, wherever it breaks off', () => {
    const whole = camt([ntry({ ref: 'A', text: 'one' }), ntry({ ref: 'B', text: 'two' }), ntry({ ref: 'C', text: 'three' })])
    for (let length = 1; length < whole.length; length += 1)
      expect(() => readCamt(whole.slice(0, length), OUR_IBAN), whole.slice(0, length).slice(-30)).toThrow()
    expect(entriesOf(whole)).toHaveLength(3)
  })

  it('of another account is an error that says whose it is', () => {
    const other = camt([ntry({ ref: 'A' })], { iban: 'AT61 1904 3002 3457 3201' })
    const { statements, problems } = readCamt(other, OUR_IBAN)
    expect(statements).toEqual([])
    expect(problems).toEqual([`A statement is of AT611904300234573201, not of our account ${OUR_IBAN}`])
  })

  it('that is no camt.053 is refused', () => {
    expect(() => readCamt('<Document><BkToCstmrDbtCdtNtfctn/></Document>', OUR_IBAN)).toThrow('no camt.053')
    expect(() => readCamt('not XML at all', OUR_IBAN)).toThrow('not well-formed')
  })
})

describe('an entry', () => {
  it.each([
    [{ amount: '956,80' }, 'An entry has an amount with a comma: "956,80"'],
    [{ amount: '0.00' }, 'An entry has an amount of zero'],
    [{ amount: '956.809' }, 'An entry has an amount with more than two decimals: "956.809"'],
    [{ amount: 'many' }, 'An entry has an amount that cannot be read: "many"'],
    [{ amount: '' }, 'An entry has no amount'],
    [{ currency: '' }, 'An entry has an amount without a currency: "956.80"'],
    [{ bookedOn: '' }, 'An entry of 956.80 EUR has no booking date']
  ])('%o says what is wrong with it', (facts, sentence) => {
    expect(why({ ref: 'A', ...facts })).toEqual([sentence])
  })

  it('that cannot be read does not keep the others back', () => {
    const entries = entriesOf(camt([ntry({ ref: 'A' }), ntry({ ref: 'B', amount: '1,00' }), ntry({ ref: 'C' })]))
    expect(readable(entries).map(({ entryId }) => entryId)).toEqual(['A', 'C'])
    expect(entries).toHaveLength(3)
  })

  it.each(['NONREF', 'NOTPROVIDED', 'notprovided', undefined])(
    'with the reference %s is known by what it says of itself',
    (ref) => {
      const one = { ...(ref && { ref }), text: 'rent' }
      const ids = readable(entriesOf(camt([ntry(one), ntry(one), ntry({ ...one, text: 'other' })]))).map(({ entryId }) => entryId)
      expect(new Set(ids).size).toBe(3)
      expect(readable(entriesOf(camt([ntry(one), ntry(one)]))).map(({ entryId }) => entryId)).toEqual(ids.slice(0, 2))
    }
  )

  it.each([
    [
      ['X', 'X', 'X#1'],
      ['X', 'X#1', 'X#1#1']
    ],
    [
      ['X', 'X#1', 'X', 'X'],
      ['X', 'X#1', 'X#2', 'X#3']
    ]
  ])('with the references %j has an id of its own, also where one looks like a number of ours', (refs, ids) => {
    const entries = readable(entriesOf(camt(refs.map((ref) => ntry({ ref })))))
    expect(entries.map(({ entryId }) => entryId)).toEqual(ids)
  })

  it('has its nested reference where it has no other', () => {
    const inner = '<NtryDtls><TxDtls><Refs><AcctSvcrRef>NESTED</AcctSvcrRef></Refs></TxDtls></NtryDtls>'
    expect(readable(entriesOf(camt([ntry({ inner })])))).toMatchObject([{ entryId: 'NESTED' }])
  })

  it('with one part has its own amount, whatever the part says', () => {
    const inner = '<NtryDtls><TxDtls><Amt Ccy="EUR">38272.00</Amt></TxDtls></NtryDtls>'
    expect(readable(entriesOf(camt([ntry({ ref: 'A', amount: '1.00', inner })])))).toMatchObject([{ amountCents: 100n }])
  })

  it.each([
    ['more than it', '<Amt Ccy="EUR">6.00</Amt>', '<Amt Ccy="EUR">6.00</Amt>'],
    ['a debit beside', '<Amt Ccy="EUR">20.00</Amt>', '<Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>'],
    ['another currency', '<Amt Ccy="USD">4.00</Amt>', '<Amt Ccy="EUR">6.00</Amt>']
  ])('whose parts make %s is not read', (_, first, second) => {
    const inner = `<NtryDtls><TxDtls>${first}</TxDtls><TxDtls>${second}</TxDtls></NtryDtls>`
    expect(readable(entriesOf(camt([ntry({ ref: 'A', amount: '10.00', inner })])))).toEqual([])
  })

  it('whose parts make it with their signs is read with both directions', () => {
    const part = (amount: string, sign: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd></TxDtls>`
    const inner = `<NtryDtls>${part('1000.00', 'CRDT')}${part('100.00', 'DBIT')}</NtryDtls>`
    expect(readable(entriesOf(camt([ntry({ ref: 'A', amount: '900.00', inner })])))).toMatchObject([
      { entryId: 'A/0', direction: 'credit', amountCents: 100_000n },
      { entryId: 'debit/A/1', direction: 'debit', amountCents: 10_000n }
    ])
  })

  it('keeps its text with numeric references and without NUL', () => {
    const [entry] = readable(entriesOf(camt([ntry({ ref: 'A', text: '&#82;F18 5390\u0000 0754&#x20;7034' })])))
    expect(entry?.remittance).toBe('RF18 5390 0754 7034')
  })
})

describe('entries without references', () => {
  const facts = fc.record({
    amount: fc.constantFrom('1.00', '2.00'),
    text: fc.constantFrom('a', 'b'),
    bookedOn: fc.constantFrom('2026-11-20', '2026-11-21')
  })
  const ids = (list: NtryFacts[]) => readable(entriesOf(camt(list.map((one) => ntry(one))))).map(({ entryId }) => entryId)

  it('each have an id of their own, the same in any order of the file', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 12 }), fc.integer(), (list, seed) => {
        const shuffled = [...list].sort(
          (a, b) => ((JSON.stringify(a).length * seed) % 7) - ((JSON.stringify(b).length * seed) % 5)
        )
        const [one, other] = [ids(list), ids(shuffled)]
        expect(new Set(one).size).toBe(list.length)
        expect(other.sort()).toEqual(one.sort())
      })
    )
  })
})
