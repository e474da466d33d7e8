/** What arrives of a withdrawal, and what it is made of. */
import type { Figures, WithdrawalRules } from '#lib/client/withdrawals/figures.ts'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatCents, formatExactUnits } from '#lib/format/amount.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'

type Props = {
  currency: ChainToken
  figures: Figures
  /** Smallest units that can be withdrawn in all. */
  has: bigint
  /** USD; undefined where there is none. */
  price: string | undefined
  rules: WithdrawalRules
}

export function WithdrawFigures({
  currency,
  figures: { amount, received, from, missing, cents, isTooSmall },
  has,
  price,
  rules
}: Props) {
  const shown = (value: bigint) => `${formatExactUnits(value, currency)} ${currency}`
  const usd = (value: bigint | string) => formatCents(BigInt(value), 'USD')
  return (
    <div>
      <p className="text-sm text-hero-muted">{missing > 0n ? texts.mostNow : texts.received}</p>
      <p className="text-amount figure font-semibold">
        <output className="eye">{isTooSmall ? '–' : formatExactUnits(missing > 0n ? has : received, currency)}</output>{' '}
        <span className="font-normal text-hero-muted">{currency}</span>
      </p>
      {price !== undefined && missing === 0n && !isTooSmall && (
        <p className="figure eye mt-1 text-hero-muted">{usd(valueInCents(received, currency, price))}</p>
      )}
      <dl className="deal-lines" hidden={missing > 0n || isTooSmall}>
        <Line name={texts.amount} value={shown(amount)} />
        <Line name={texts.fee} value={`−${shown(WITHDRAWAL_FEES[currency])}`} isPublic />
        <Line name={texts.fromSpot} value={shown(from.spot)} />
        {from.funding > 0n && <Line name={texts.fromFunding} value={shown(from.funding)} />}
        <Line name={texts.leftAfterwards} value={shown(amount <= has ? has - amount : 0n)} />
        <Line name={texts.limitLeft} value={`${usd(limitAfter(rules, cents))} ${texts.limitOf(usd(rules.dayCents))}`} />
      </dl>
      {cents !== undefined && cents > BigInt(rules.approvalAboveCents) && (
        <p className="mt-4 text-sm">{texts.approvedBy(usd(rules.approvalAboveCents))}</p>
      )}
    </div>
  )
}

function limitAfter({ leftCents }: WithdrawalRules, cents: bigint | undefined): bigint {
  const left = BigInt(leftCents) - (cents ?? 0n)
  return left > 0n ? left : 0n
}

function Line({ name, value, isPublic = false }: { name: string; value: string; isPublic?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={`figure ${isPublic ? '' : 'eye'}`}>{value}</dd>
    </div>
  )
}
