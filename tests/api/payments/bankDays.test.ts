/** Days at the bank: equal where bank and books agree, however the statements come; red where they do not. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bankDays } from '#lib/server/payments/index.ts'
import type { Bank } from '#lib/server/payments/port.ts'
import { readBank } from '#lib/server/payments/read.ts'
import { camt, ntry } from '#support/camt.ts'
import { hooks } from '#support/hooks.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})
afterEach(() => test.close())

type Balance = [code: string, euros: string, day: string]
const balances = (all: Balance[]) =>
  all
    .map(
      ([code, euros, day]) =>
        `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
    )
    .join('')
const entry = (ref: string, amount: string, bookedOn = '2026-11-20') => ntry({ ref, amount, bookedOn, text: 'rent' })
const statement = (id: string, ends: Balance[], entries: string[]) => camt(entries, { id, balances: balances(ends) })
const D = '2026-11-20'

/** Delivers these files, one after the other. */
async function deliver(...files: string[]): Promise<string[]> {
  const problems: string[] = []
  for (const [at, xml] of files.entries()) {
    const bank: Bank = {
      ...test.app.ports.bank,
      entriesSince: async () => [
        {
          cursor: `file-${at}-${xml.length}`,
          ...test.app.ports.bank.read(xml),
          settle: async (found) => void problems.push(...found)
        }
      ]
    }
    await readBank(test.app.context, bank, { rates: test.app.ports.rates, ...hooks })
  }
  return problems
}
const days = async () =>
  (await bankDays(test.app.context.db)).map(({ day, openingCents, inCents, outCents, closingCents, isEqual }) => [
    day.slice(8),
    openingCents,
    inCents,
    outCents,
    closingCents,
    isEqual
  ])

const first = statement(
  'S-1',
  [
    ['OPBD', '100.00', D],
    ['CLBD', '110.00', D]
  ],
  [entry('A', '10.00')]
)

it('is opening + in − out = closing = books, and follows the day before', async () => {
  const next = statement(
    'S-2',
    [
      ['OPBD', '110.00', '2026-11-21'],
      ['CLBD', '105.00', '2026-11-21']
    ],
    [ntry({ ref: 'B', amount: '5.00', direction: 'DBIT', bookedOn: '2026-11-21' })]
  )
  expect(await deliver(first, next)).toEqual([])
  expect(await days()).toEqual([
    ['21', 11_000n, 0n, 500n, 10_500n, true],
    ['20', 10_000n, 1_000n, 0n, 11_000n, true]
  ])
})

it('is the same when another file tells of its entries again', async () => {
  await deliver(
    first,
    statement(
      'S-1b',
      [
        ['OPBD', '100.00', D],
        ['CLBD', '110.00', D]
      ],
      [entry('A', '10.00')]
    )
  )
  expect(await days()).toEqual([['20', 10_000n, 1_000n, 0n, 11_000n, true]])
})

it('is one of several statements, in whichever order they come, also with one id or as pages', async () => {
  const before = statement(
    'S-0',
    [
      ['OPBD', '100.00', '2026-11-19'],
      ['CLBD', '100.00', '2026-11-19']
    ],
    []
  )
  const morning = statement(
    'S-1',
    [
      ['OPBD', '100.00', D],
      ['CLBD', '110.00', D]
    ],
    [entry('A', '10.00')]
  )
  const afternoon = statement(
    'S-1',
    [
      ['OPBD', '110.00', D],
      ['CLBD', '130.00', D]
    ],
    [entry('B', '20.00')]
  )
  expect(await deliver(before, afternoon, morning)).toEqual([])
  expect((await days())[0]).toEqual(['20', 10_000n, 3_000n, 0n, 13_000n, true])
})

it('is read from pages with interim balances', async () => {
  const one = statement(
    'S-1',
    [
      ['OPBD', '100.00', D],
      ['ITBD', '110.00', D]
    ],
    [entry('A', '10.00')]
  )
  const two = statement(
    'S-2',
    [
      ['ITBD', '110.00', D],
      ['CLBD', '130.00', D]
    ],
    [entry('B', '20.00')]
  )
  await deliver(one, two)
  expect(await days()).toEqual([['20', 10_000n, 3_000n, 0n, 13_000n, true]])
})

it('counts an entry to the statement that told of it, whatever its booking day', async () => {
  const next = statement(
    'S-2',
    [
      ['OPBD', '110.00', '2026-11-21'],
      ['CLBD', '117.00', '2026-11-21']
    ],
    [entry('B', '7.00', '2026-11-20')]
  )
  await deliver(first, next)
  expect(await days()).toEqual([
    ['21', 11_000n, 700n, 0n, 11_700n, true],
    ['20', 10_000n, 1_000n, 0n, 11_000n, true]
  ])
})

it('is not made of a file of before the first statement, whose entries are not booked twice', async () => {
  const early = statement(
    'S-0',
    [
      ['OPBD', '90.00', '2026-11-19'],
      ['CLBD', '100.00', '2026-11-19']
    ],
    [entry('Z', '10.00', '2026-11-19')]
  )
  const morning = statement(
    'S-00',
    [
      ['OPBD', '95.00', D],
      ['CLBD', '100.00', D]
    ],
    [entry('Y', '5.00')]
  )
  const problems = await deliver(first, early, morning)
  expect(problems).toHaveLength(2)
  expect(problems[0]).toContain('its entries are in the opening balance')
  expect(await days()).toEqual([['20', 10_000n, 1_000n, 0n, 11_000n, true]])
})

it('is red where the bank leaves an entry out, where a day is missing, and where the books differ', async () => {
  await deliver(
    first,
    statement(
      'S-2',
      [
        ['OPBD', '110.00', '2026-11-21'],
        ['CLBD', '120.00', '2026-11-21']
      ],
      []
    )
  )
  expect((await days())[0]?.at(-1)).toBe(false)
  await deliver(
    statement(
      'S-4',
      [
        ['OPBD', '150.00', '2026-11-24'],
        ['CLBD', '150.00', '2026-11-24']
      ],
      []
    )
  )
  expect((await days())[0]?.at(-1)).toBe(false)
})
