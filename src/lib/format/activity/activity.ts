/** Formats the activity's lines for the customer. */
import type { Answer } from '#lib/contract/types.ts'
import type { DepositNote, DepositStatus } from '#lib/domain/deposits/deposit.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { packageById, packageName } from '#lib/domain/orders/packages.ts'
import type { WithdrawalState } from '#lib/domain/withdrawals/withdrawal.ts'
import { activityTexts as texts } from '#messages/activity/activity.ts'
import { formatEur, formatMoneyUnits, formatShortUnits, formatUsd } from '../amount.ts'
import { depositLabel } from '../deposits/status.ts'
import { orderLabel } from '../orders/status.ts'
import { formatCoinPrice } from '../p2p/prices.ts'
import type { Tone } from '../tone.ts'
import { ACCOUNT_LABELS } from '../wallet/statement.ts'
import { withdrawalLabel } from '../withdrawals/status.ts'

export type ActivityLine = Answer<'listActivity'>['lines'][number]

export type ShownLine = {
  title: string
  details: string | undefined
  state: { label: string; tone: Tone } | undefined
  /** With its sign and currency: `+2,500 CPC`, `€2,392.00`. */
  amount: string
  /** The page that the line links to. */
  href: string
}

const cents = (text: unknown) => writeDecimal(toDecimal(BigInt(String(text ?? '0')), 2))

function orderLine({ about, amount, currency, direction, orderId }: ActivityLine): ShownLine {
  const config = packageById(Number(about.configId))
  const isCredited = direction === 'in'
  const tokens = `${formatShortUnits(amount, currency)} ${currency}`
  const staked = Number(about.stakingMonths) > 0 ? ` · ${texts.staked}` : ''
  const cancelledAt = typeof about.cancelledAt === 'string' ? about.cancelledAt : null
  return {
    title: config ? packageName(config) : currency,
    details: isCredited ? `${formatEur(cents(about.euroCents))}${staked}` : `${tokens}${staked}`,
    state: orderLabel({ status: Number(about.status), cancelledAt, unfitPayment: about.unfitPayment ?? null }),
    amount: isCredited ? `+${tokens}` : formatEur(cents(about.euroCents)),
    href: `/package-history?tab=order&order=${orderId}`
  }
}

function tradeLine(line: ActivityLine): ShownLine {
  const { about } = line
  const settlement = String(about.settlement)
  const price = `${formatCoinPrice(String(about.price), line.currency)} ${settlement}`
  return {
    title: about.isSold ? texts.sold(price) : texts.bought(price),
    details: texts.tradedFor(`${formatMoneyUnits(String(about.settled), settlement)} ${settlement}`, String(about.by)),
    state: undefined,
    amount: signed(line),
    href: '/p2p?tab=history'
  }
}

function depositLine({ about, amount, currency, direction }: ActivityLine): ShownLine {
  const sign = SIGNS[direction]
  return {
    title: texts.deposit,
    details: undefined,
    state: depositLabel({ status: about.status as DepositStatus, note: (about.note ?? null) as DepositNote | null }),
    amount: findToken(currency) ? `${sign}${formatShortUnits(amount, currency)} ${currency}` : texts.unknownToken,
    href: '/package-history?tab=deposit'
  }
}

const SIGNS = { in: '+', out: '−', moved: '', none: '' } as const

/** An amount in its own currency, with its sign. */
function signed({ amount, currency, direction }: ActivityLine): string {
  const sign = SIGNS[direction]
  if (currency === 'EUR') return `${sign}${formatEur(cents(amount))}`
  return findToken(currency) ? `${sign}${formatShortUnits(amount, currency)} ${currency}` : `${sign}${cents(amount)} ${currency}`
}

function packageOf(configId: unknown): string | undefined {
  const config = packageById(Number(configId))
  return config && packageName(config)
}

/** The texts and the link of a line. */
export function showActivity(line: ActivityLine): ShownLine {
  const { name, about, orderId, currency } = line
  const account = (which: unknown) => (ACCOUNT_LABELS as Record<string, string>)[String(which)] ?? ''
  const order = `/package-history?tab=order&order=${orderId}`
  const plain = { state: undefined, amount: signed(line) }
  if (name === 'order') return orderLine(line)
  if (name === 'move') {
    const to = account(about.to)
    return {
      ...plain,
      title: texts.move(account(about.from), to.toLowerCase()),
      details: undefined,
      href: `/statement/${currency}?account=${about.to}`
    }
  }
  if (name === 'referral')
    return { ...plain, title: texts.referral, details: texts.referralOf(formatUsd(cents(about.ofCents))), href: '/referral' }
  if (name in texts.staking)
    return {
      ...plain,
      title: texts.staking[name as keyof typeof texts.staking],
      details: packageOf(about.configId),
      href: `/staking?order=${orderId}`
    }
  if (name === 'unfit_payment')
    return { ...plain, title: texts.unfitPayment, details: texts.unfit(formatEur(cents(about.expectedCents))), href: order }
  if (name === 'refund') return { ...plain, title: texts.refund, details: String(about.why ?? ''), href: order }
  if (name === 'deposit') return depositLine(line)
  if (name === 'trade') return tradeLine(line)
  if (name === 'withdrawal')
    return {
      ...plain,
      title: texts.withdrawal,
      details: undefined,
      state: withdrawalLabel(about.state as WithdrawalState),
      href: '/package-history?tab=withdrawal'
    }
  return { ...plain, title: texts.adjustment, details: undefined, href: `/statement/${currency}` }
}
