import { describe, expect, it } from 'vitest'
import { makeReference } from '#lib/domain/orders/reference.ts'
import { secondPersonFor } from '#lib/domain/payments/alone.ts'
import { meantReferences, scoreCandidates, slipsOf } from '#lib/domain/payments/candidates.ts'
import { compareNames, nameInitials } from '#lib/domain/payments/names.ts'
import { maskedIban, sepaName, sepaText } from '#lib/domain/payments/sepa.ts'
import { writtenFor } from '#lib/domain/payments/words.ts'

const order = {
  id: makeReference('702411963385'),
  euroCentsToPay: 239_200n,
  verifiedName: 'Grete Huber',
  paidFrom: ['DE12 3456']
}
const other = { id: makeReference('702411870412'), euroCentsToPay: 239_200n, verifiedName: 'Greta Huber-Moser', paidFrom: [] }
const sent = { amountCents: 239_200n, currency: 'EUR', remittance: '', payerName: 'HUBER GRETE', payerIban: 'de123456' }

describe('candidates of a payment', () => {
  it('are scored by the sum of their reasons: one wrong digit, amount, name, account', () => {
    const wrong = `${order.id.slice(0, -1)}${(Number(order.id.at(-1)) + 3) % 10}`
    expect(scoreCandidates({ ...sent, remittance: `Token ${wrong}` }, [other, order])).toEqual([
      { order, score: 95, reasons: ['reference_typo', 'amount', 'name', 'account'] },
      { order: other, score: 33, reasons: ['amount', 'name_similar'] }
    ])
  })

  it('with the whole reference, in the text or in the name, make 100', () => {
    const [best] = scoreCandidates({ ...sent, remittance: `ref ${order.id}` }, [order])
    expect(best).toMatchObject({ score: 100, reasons: ['reference', 'amount', 'name', 'account'] })
    const [named] = scoreCandidates({ ...sent, payerName: `Huber ${order.id}` }, [order])
    expect(named?.reasons).toContain('reference_elsewhere')
  })

  it.each([
    ['a wrong digit', (id: string) => id.replace(/.$/, (last) => String((Number(last) + 1) % 10))],
    ['a missing digit', (id: string) => id.slice(0, 8) + id.slice(9)],
    ['a digit too many', (id: string) => `${id.slice(0, 8)}5${id.slice(8)}`],
    ['two digits swapped', (id: string) => id.slice(0, 5) + id[6] + id[5] + id.slice(7)],
    ['the letter O for a zero', (id: string) => id.replace('0', 'O')],
    ['no RF', (id: string) => id.slice(2)]
  ])('find the order of a reference with %s', (_, slip) => {
    for (const body of ['702411963385', '000000000017', '990120301204']) {
      const id = makeReference(body)
      expect([...meantReferences({ remittance: `Order ${slip(id)}`, payerName: '' }), ...slipsOf(slip(id))]).toContain(id)
    }
  })

  it('are few: of a text without a reference there are none', () => {
    expect(slipsOf('Rent for November, thank you')).toEqual([])
    expect(scoreCandidates({ ...sent, amountCents: 1n, payerName: 'X', payerIban: '' }, [order, other])).toEqual([])
  })
})

describe('names', () => {
  it.each([
    ['Müller, Anna-Lena', 'ANNA LENA MUELLER', 'same'],
    ['Dr. Søren Łukasz', 'Lukasz Soren', 'same'],
    ['A. Müller', 'Anna Müller', 'similar'],
    ['Anna Maria Müller', 'Anna Müller', 'similar'],
    ['Jon Smith', 'John Smith', 'other'],
    ['Anna Bauer', 'Anna Baur', 'similar'],
    ['Noel Sauer', 'Nol Saur', 'other'],
    ['Maria', 'Maria Ing', 'other'],
    ['Maria Ing', 'Maria Ing', 'other'],
    ['Jonathan Smyth', 'Jonathan Smith', 'similar'],
    ['Muster GmbH', 'Anna Muster', 'other'],
    ['Anna', 'Anna Müller', 'other'],
    ['', '', 'other'],
    ['12 34', '12 34', 'other']
  ])('%s and %s are %s', (one, two, is) => {
    expect(compareNames(one, two)).toBe(is)
  })

  it('and accounts are masked for lists', () => {
    expect([nameInitials('Grete Huber'), nameInitials(''), maskedIban('de89 3704 0044 0532 0130 00'), maskedIban('12')]).toEqual([
      'G. H.',
      '',
      'DE ·· 3000',
      ''
    ])
  })

  it('of a file for the bank have its characters alone', () => {
    expect(sepaName('Łukasz Müller & Söhne <script>')).toBe('Lukasz Mueller + Soehne script')
    expect(sepaName('Γιώργος')).toBe('')
    expect(sepaName('x'.repeat(100))).toHaveLength(70)
    expect(sepaText('Größe 5€ "a"\n\u0000b')).toBe('Groesse 5 a b')
  })

  it('of a text only what looks like a reference is shown', () => {
    const wrong = `${order.id.slice(0, -1)}${(Number(order.id.at(-1)) + 3) % 10}`
    expect(writtenFor(order.id, `DE75 5121 0800 1245 1261 99 rf${wrong.slice(2, 4)} ${wrong.slice(4)} danke`)).toBe(wrong)
    expect(writtenFor(order.id, wrong.slice(2))).toBe(wrong.slice(2))
    expect(writtenFor(order.id, 'Grete Huber, call 066412345678')).toBeUndefined()
  })
})

describe('one person alone assigns', () => {
  const own = {
    amountCents: [239_200n],
    euroCentsToPay: 239_200n,
    payerNames: ['Huber Grete'],
    verifiedName: 'Grete Huber',
    namesAnother: false,
    aboveCents: 500_000n
  }
  it.each([
    ['an exact payment of the customer', {}, undefined],
    ['a cent less', { amountCents: [239_199n] }, 'not_exact'],
    ['a cent more', { amountCents: [239_201n] }, 'not_exact'],
    ['a payment of somebody else', { payerNames: ['Hans Huber'] }, 'other_name'],
    ['a payment without a name', { payerNames: [''] }, 'other_name'],
    ['the payment of a customer without a name', { verifiedName: '' }, 'other_name'],
    ['a payment that names another order', { namesAnother: true }, 'other_order'],
    ['more than the sum', { aboveCents: 239_199n }, 'above_sum'],
    ['two payments', { amountCents: [239_199n, 1n] }, 'several']
  ])('%s', (_, changed, second) => {
    expect(secondPersonFor({ ...own, ...changed })).toBe(second)
  })
})
