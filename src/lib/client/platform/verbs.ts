/**
 * What the palette can do besides finding: `withdraw btc 0.01`, `deposit eth`, `buy ptc 2500`, `pay RF20…`. A verb never acts: it opens the
 * page where the customer does, with what was typed filled in.
 */
import { DEPOSITABLE, WITHDRAWABLE } from '#lib/domain/chains/chains.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur } from '#lib/format/amount.ts'
import { verbTexts as texts } from '#messages/platform/palette.ts'

export type Deed = { label: string; about: string; href: string }
/** An order that waits for its payment. */
export type OpenOrder = { id: string; name: string; euroToPay: string; comboConfigId: number }

const PACKAGES = ['PTC', 'CPC'] as const
const AMOUNT = /^\d{1,12}([.,]\d{1,18})?$/
/** `1,000` is a thousand, `0,500` is not, as in the forms. Not by their `readAmount`: with it the profile's scripts would exceed their budget. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3}){1,3}(\.\d{1,18})?$/
const isAmount = (word: string) => AMOUNT.test(word) || GROUPED.test(word)
/** The comma of `0,5` can only be a decimal point, and is shown as one. */
const asNumber = (word: string) => (GROUPED.test(word) ? word.replaceAll(',', '') : word.replace(',', '.'))

/** The deeds that the typed words ask for, best first; none if they begin with no verb. `orders`: the customer's open ones. */
export function deedsOf(typed: string, orders: readonly OpenOrder[] = []): Deed[] {
  const [verb = '', ...rest] = typed.trim().toLowerCase().split(/\s+/)
  if (verb.length < 2) return []
  const says = (words: readonly string[]) => words.some((word) => word.startsWith(verb))
  const typedAmount = rest.find(isAmount)
  const amount = typedAmount && asNumber(typedAmount)
  const names = rest.filter((word) => !isAmount(word)).map((word) => word.toUpperCase())
  const among = <Code extends string>(codes: readonly Code[]) =>
    codes.filter((code) => names.length === 0 || names.some((name) => code.startsWith(name)))
  const query = amount === undefined ? '' : `?amount=${encodeURIComponent(amount)}`
  const open = (label: (what: string) => string, codes: readonly string[], path: string, search = '') =>
    codes.map((code) => ({
      label: label(search === '' ? code : `${amount} ${code}`),
      about: texts.opens,
      href: `${path}/${code}${search}`
    }))
  return [
    ...(says(texts.withdraw.words) ? open(texts.withdraw.label, among(WITHDRAWABLE), '/withdraw', query) : []),
    ...(says(texts.deposit.words) ? open(texts.deposit.label, among(DEPOSITABLE), '/deposit') : []),
    ...(says(texts.buy.words) ? boughtOf(among(PACKAGES), amount) : []),
    ...(says(texts.pay.words) ? paidOf(orders, rest.join('').toUpperCase()) : []),
    ...(says(texts.trade.words) ? [{ label: texts.trade.label, about: texts.opens, href: '/p2p' }] : []),
    ...(says(texts.transfer.words) ? [{ label: texts.transfer.label, about: texts.opens, href: '/token-list' }] : [])
  ]
}

function boughtOf(codes: readonly string[], dollars: string | undefined): Deed[] {
  return codes.map((code) => ({
    label: texts.buy.label(dollars === undefined ? code : `${code} ($${dollars})`),
    about: texts.opens,
    href: `/package-detail/${code}${dollars === undefined ? '' : `?amount=${encodeURIComponent(dollars)}`}`
  }))
}

function paidOf(orders: readonly OpenOrder[], reference: string): Deed[] {
  return orders
    .filter(({ id }) => id.toUpperCase().startsWith(reference))
    .map(({ id, name, euroToPay, comboConfigId }) => ({
      label: texts.pay.label(formatEur(euroToPay)),
      about: `${name}, ${groupReference(id)}`,
      href: `/package-detail/${comboConfigId}/preview?order=${id}`
    }))
}
