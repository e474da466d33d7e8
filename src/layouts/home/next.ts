/** How each matter of the Next card reads and where it leads. */
import type { Answer, Order } from '#lib/contract/types.ts'
import type { Matter } from '#lib/domain/home/next.ts'
import { formatEur, formatExactUnits, formatShortUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { withdrawalLabel } from '#lib/format/withdrawals/status.ts'
import { nextTexts as texts } from '#messages/home/next.ts'
import { identityAdvice, identityTexts } from '#messages/identity/identity.ts'
import { unfitTexts } from '#messages/payments/unfit.ts'
import { withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import type { icons } from '../platform/icons.ts'
import { daysBetween } from '../staking/staking.ts'

type Withdrawal = Answer<'listWithdrawals'>[number]
type Deposit = Answer<'listDeposits'>[number]
type Rules = Answer<'getWithdrawalRules'>
type Payout = NonNullable<Answer<'getStakingSummary'>['next']>
export type OwnMatter = Matter<Order, Withdrawal, Deposit, Rules['depositsWithoutDetails'][number], Payout>
/** `gold`: somebody is needed. `blue`: under way, nothing to do. */
export type Shown = {
  tone: 'gold' | 'green' | 'blue'
  icon: keyof typeof icons
  title: string
  about: string
  act: string
  href: string
}

type Facts = { timeZone: string; now: Date; hold: Rules['gate']; reviewStatus: string }

export function shownOf(matter: OwnMatter, { timeZone, now, hold, reviewStatus }: Facts): Shown {
  const order = ({ id }: Order) => `/package-history?tab=order&order=${id}`
  const amount = ({ amount: units, currency }: { amount: string; currency: string }) =>
    `${formatExactUnits(units, currency)} ${currency}`
  switch (matter.kind) {
    case 'check': {
      const { unfitPayment, name } = matter.of
      const received = unfitPayment ? formatReceived(unfitPayment) : ''
      const about = texts.check(received, name, unfitPayment ? formatDay(unfitPayment.decideBy, timeZone) : '')
      return { tone: 'gold', icon: 'warning', title: unfitTexts.status, about, act: texts.checkAct, href: order(matter.of) }
    }
    case 'hold': {
      const reason = hold.reason ?? 'held'
      const title = texts.hold[reason]
      return { tone: 'gold', icon: 'lock', title, about: withdrawTexts.gate[reason], act: texts.holdAct, href: '/withdraw/CPC' }
    }
    case 'pay': {
      const { comboConfigId, id, name, payableUntil, euroToPay } = matter.of
      const about = texts.payAbout(name, formatDay(payableUntil, timeZone))
      const href = `/package-detail/${comboConfigId}/preview?order=${id}`
      return { tone: 'green', icon: 'bank', title: texts.pay(formatEur(euroToPay)), about, act: texts.payAct, href }
    }
    case 'confirm': {
      const title = texts.confirm(amount(matter.of))
      return { tone: 'green', icon: 'shield', title, about: texts.confirmAbout, act: texts.confirmAct, href: '/withdraw-history' }
    }
    case 'sender': {
      const title = texts.sender(amount(matter.of))
      return {
        tone: 'gold',
        icon: 'person',
        title,
        about: texts.senderAbout,
        act: texts.senderAct,
        href: `/withdraw/${matter.of.currency}`
      }
    }
    case 'verify': {
      const about = identityAdvice[reviewStatus] ?? identityTexts.begin
      return { tone: 'green', icon: 'shield', title: texts.verify, about, act: texts.verifyAct, href: '/profile#identity' }
    }
    case 'order': {
      const title = texts.order(formatEur(matter.of.euroToPay))
      return {
        tone: 'blue',
        icon: 'clock',
        title,
        about: texts.orderAbout(matter.of.name),
        act: texts.orderAct,
        href: order(matter.of)
      }
    }
    case 'withdrawal': {
      const title = texts.withdrawal(amount(matter.of))
      const about = withdrawalLabel(matter.of.state).label
      return { tone: 'blue', icon: 'upload', title, about, act: texts.withdrawalAct, href: '/withdraw-history' }
    }
    case 'deposit': {
      const { currency, confirmations, confirmationsNeeded } = matter.of
      const about = texts.depositAbout(confirmations, confirmationsNeeded)
      return {
        tone: 'blue',
        icon: 'download',
        title: texts.deposit(amount(matter.of)),
        about,
        act: texts.depositAct,
        href: `/deposit/${currency}`
      }
    }
    case 'payout': {
      const { units, currency, dueAt } = matter.of
      const title = texts.payout(`${formatShortUnits(units, currency)} ${currency}`)
      const about = texts.payoutAbout(formatDay(dueAt), daysBetween(now, dueAt))
      return { tone: 'blue', icon: 'coin', title, about, act: texts.payoutAct, href: '/rewards' }
    }
  }
}
