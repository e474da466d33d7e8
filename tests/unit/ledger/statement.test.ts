import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameMailbox } from '#lib/domain/access/credentials.ts'
import { isVerified, kycBadge, maskDocumentNumber } from '#lib/domain/identity/check.ts'
import { lineKind } from '#lib/domain/ledger/reasons.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { TOKENS } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { csvFile } from '#lib/format/csv.ts'
import { statementRows } from '#lib/format/wallet/csv.ts'
import { counterpartLabel, formatSigned } from '#lib/format/wallet/statement.ts'

describe('an amount that is typed', () => {
  it('is read to the last digit, whatever was written', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 30n), fc.constantFrom('CPC', 'USDC', 'ETH'), (units, token) => {
        const decimals = TOKENS.find(({ code }) => code === token)?.decimals ?? 0
        expect(readAmount(formatExactUnits(units, token), decimals)).toEqual({ units })
      })
    )
  })

  it.each([
    [' 1 000.50 ', 100_050n],
    ['1,000.5', 100_050n],
    ['.5', 50n],
    ['5.', 500n],
    ['1.10000', 110n]
  ])('"%s" is %s', (text, units) => {
    expect(readAmount(text, 2)).toEqual({ units })
  })

  it.each([
    ['', 'amount_required'],
    [' ', 'amount_required'],
    ['0.00', 'amount_not_positive'],
    ['-1', 'amount_not_positive'],
    ['1.2.3', 'amount_not_positive'],
    ['0x10', 'amount_not_positive'],
    ['1,5', 'amount_not_positive'],
    ['0,500', 'amount_not_positive'],
    ['00,500', 'amount_not_positive'],
    ['1.000,5', 'amount_not_positive'],
    ['1,00', 'amount_not_positive'],
    ['0.001', 'amount_too_fine']
  ])('"%s" is %s', (text, error) => {
    expect(readAmount(text, 2)).toEqual({ error })
  })
})

describe('the identity check', () => {
  it.each([
    [null, 'Not Verified', false],
    [{}, 'Not Verified', false],
    [{ review: { reviewStatus: 'init' } }, 'Pending', false],
    [{ review: { reviewStatus: 'rejected' } }, 'Not Verified', false],
    [{ review: { reviewStatus: 'completed' } }, 'Verified', true]
  ])('%o is %s', (kycData, badge, verified) => {
    expect(kycBadge(kycData)).toBe(badge)
    expect(isVerified(kycData)).toBe(verified)
  })

  it.each([
    ['P1234567', '•••••567'],
    ['AB 12 34', '•••234'],
    ['123', '•••'],
    ['', '•••']
  ])('shows of a document number %s no more than %s', (number, masked) => {
    expect(maskDocumentNumber(number)).toBe(masked)
  })
})

describe('two addresses', () => {
  it.each([
    ['ada@example.com', 'ADA@example.com', true],
    ['ada+wallet@example.com', 'ada@example.com', true],
    ['ada+a@example.com', 'ada+b@example.com', true],
    ['ada@example.com', 'ada@example.org', false],
    ['ada@example.com', 'adas@example.com', false]
  ])('%s and %s: the same mailbox is %s', (one, other, same) => {
    expect(isSameMailbox(one, other)).toBe(same)
  })
})

describe('a line of a statement', () => {
  it('is named by its reason and its other side', () => {
    expect(lineKind('order_completed', 'treasury')).toBe('purchase')
    expect(lineKind('order_completed', 'rewards')).toBe('reward')
    expect(lineKind('moved_between_accounts', 'funding')).toBe('move')
    expect(lineKind('bank_debit', 'suspense')).toBe('adjustment')
    expect(counterpartLabel({ owner: 'you', account: 'funding' })).toBe('Your funding account')
    expect(counterpartLabel({ owner: 'house', account: 'treasury' })).toBe('CP Wallet')
    expect(counterpartLabel({ owner: 'customer', account: 'spot' })).toBe('Another customer')
  })

  it('has its sign and every digit', () => {
    expect(formatSigned('123456789', 'CPC')).toBe('+1.23456789')
    expect(formatSigned('-100000000', 'CPC')).toBe('−1')
  })

  it('goes into a file that a spreadsheet reads, and runs nothing of', () => {
    const line = { at: '2026-11-21T12:00:00.000Z', kind: 'move', amount: '-150000000', balanceAfter: '50000000' } as const
    const rows = statementRows(
      [
        { ...line, counterpart: { owner: 'you', account: 'funding, "mine"' }, orderId: null },
        { ...line, counterpart: { owner: 'house', account: 'treasury' }, orderId: '=1+1' }
      ],
      { code: 'CPC', decimals: 8 }
    )
    expect(csvFile(rows).split('\r\n')).toEqual([
      'Date (UTC),Details,Counterparty,Order,Amount CPC,Balance after CPC',
      '2026-11-21 12:00:00,Transfer between your accounts,"Your funding, ""mine"" account",,-1.50000000,0.50000000',
      "2026-11-21 12:00:00,Transfer between your accounts,CP Wallet,'=1+1,-1.50000000,0.50000000",
      ''
    ])
  })
})
