import { describe, expect, it } from 'vitest'
import {
  checkEmail,
  checkPassword,
  isCompleteCode,
  maskEmail,
  normalizeCode,
  normalizeEmail
} from '#lib/domain/access/credentials.ts'
import { DASHBOARD, guard, guardUnbuilt, SIGN_IN } from '#lib/domain/access/guard.ts'
import { checkPhone, checkReferralCode } from '#lib/domain/access/person.ts'
import { kycBadge } from '#lib/domain/identity/check.ts'
import { available, emptyHolding, totalOf } from '#lib/domain/ledger/holdings.ts'

describe('the fields', () => {
  it.each([
    ['', 'email_required'],
    ['  ', 'email_required'],
    ['ada', 'email_invalid'],
    ['ada@', 'email_invalid'],
    ['ada@example', 'email_invalid'],
    ['a da@example.com', 'email_invalid'],
    ['ada@example..com', 'email_invalid'],
    ['ada@exam@ple.com', 'email_invalid'],
    ['ada@example.com', undefined],
    ['ada+wallet@mail.example.co.uk', undefined]
  ])('email "%s": %s', (text, code) => {
    expect(checkEmail(text)).toBe(code)
  })

  it('trims and lower-cases an email', () => {
    expect(normalizeEmail('  Ada@Example.COM ')).toBe('ada@example.com')
  })

  it('asks for a password of 8 characters', () => {
    expect([checkPassword(''), checkPassword('1234567'), checkPassword('12345678'), checkPassword('x'.repeat(201))]).toEqual([
      'password_required',
      'password_short',
      undefined,
      'password_long'
    ])
  })

  it('takes phone numbers as people write them', () => {
    expect(['+43 660 1234567', '0660/123 45 67', '(0660) 1234'.slice(1)].map(checkPhone)).toEqual([
      undefined,
      undefined,
      undefined
    ])
    expect(['', 'abc', '12'].map(checkPhone)).toEqual(['phone_required', 'phone_invalid', 'phone_invalid'])
    expect(['+43 660 1', '+43 660 123456789012'].map(checkPhone)).toEqual(['phone_invalid', 'phone_invalid'])
  })

  it('takes no referral code as none', () => {
    expect(['', '  ', 'mvtd6a0m', 'a b'].map(checkReferralCode)).toEqual([
      undefined,
      undefined,
      undefined,
      'referral_code_invalid'
    ])
  })

  it('takes a pasted code with spaces', () => {
    expect(normalizeCode(' 123 456\n')).toBe('123456')
    expect(['123456', '12345', '12345a'].map(isCompleteCode)).toEqual([true, false, false])
  })

  it('shows the first two characters of an address and its domain', () => {
    expect(maskEmail('adalovelace@example.com')).toBe('ad*********@example.com')
    expect(maskEmail('a@example.com')).toBe('a***@example.com')
    expect(maskEmail('nonsense')).toBe('')
  })
})

describe('the guard', () => {
  const out = { signedIn: false, sandbox: true, canTrade: false }
  const signedIn = { signedIn: true, sandbox: true, canTrade: false }

  it('leads from the root to the dashboard or to sign in', () => {
    expect(guard('/', out)).toEqual({ redirect: SIGN_IN })
    expect(guard('/', signedIn)).toEqual({ redirect: DASHBOARD })
  })

  it('is closed for a route that nobody named', () => {
    expect(guard('/some-new-page', out)).toEqual({ redirect: SIGN_IN })
    expect(guard('/some-new-page', signedIn)).toBe('render')
  })

  it('opens P2P for those who can trade, and leads the others to the dashboard', () => {
    for (const route of ['/p2p', '/p2p/csv']) {
      expect(guard(route, signedIn)).toEqual({ redirect: DASHBOARD })
      expect(guard(route, { ...signedIn, canTrade: true })).toBe('render')
      expect(guard(route, { ...out, canTrade: true })).toEqual({ redirect: SIGN_IN })
    }
    expect(guardUnbuilt('/p2p/orders/7', signedIn)).toEqual({ redirect: DASHBOARD })
    expect(guardUnbuilt('/p2p/orders/7', { ...signedIn, canTrade: true })).toBe('notFound')
    expect(guardUnbuilt('/p2pool', signedIn)).toBe('notFound')
  })

  it('knows no sandbox in production', () => {
    expect(guard('/sandbox', { ...signedIn, sandbox: false })).toBe('notFound')
  })
})

describe('holdings', () => {
  it('available is spot plus funding total minus frozen', () => {
    const holding = { ...emptyHolding(), spot: 10n, funding: 5n, frozen: 3n, staked: 100n, reward: 1n }
    expect(available(holding)).toBe(15n)
    expect(totalOf(holding)).toBe(119n)
  })
})

describe('the KYC badge', () => {
  it('is Verified, Pending or Not Verified', () => {
    expect(kycBadge({ review: { reviewStatus: 'completed' } })).toBe('Verified')
    expect(kycBadge({ review: { reviewStatus: 'init' } })).toBe('Pending')
    expect(kycBadge({})).toBe('Not Verified')
    expect(kycBadge(null)).toBe('Not Verified')
  })
})
