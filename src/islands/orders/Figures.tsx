import { memo } from 'react'
import type { ComboPreview, Order } from '#lib/contract/types.ts'
import { rewardOfTerm } from '#lib/domain/staking/terms.ts'
import { formatEur, formatExact, formatPrice, formatRate, formatUnits, formatUsd } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { Amount } from '../ui/Amount.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'

type Props = { preview: ComboPreview; order: Order | undefined; morph: number }

/** Cost and tokens of the package: from the order once it exists, before that from the quote. */
export const Figures = memo(function Figures({ preview, order, morph }: Props) {
  const quote = order ?? preview
  const units = preview.type === 'CPC' ? quote.cpcAmount : quote.ptcAmount
  const price = quote.ptcPrice ?? quote.cpcAverageWeightPrice
  const isFixed = Boolean(order?.priceFixedAt)
  const facts: Fact[] = [
    {
      label: 'Fiat amount',
      value: <Amount value={formatUsd(quote.fiatAmount)} />,
      hint: (
        <>
          <Amount value={formatEur(quote.euroAmount)} /> at <Amount value={`€${formatExact(quote.euroRate)}`} /> per $1
        </>
      )
    },
    { label: 'Transaction fee (4%)', value: <Amount value={formatUsd(quote.feeAmount)} /> },
    { label: 'Total to pay', value: <Amount value={formatUsd(quote.totalAmount)} />, strong: true },
    {
      label: 'Token price',
      value: <Amount value={formatPrice(price, preview.type)} />,
      hint: isFixed
        ? 'Fixed when your payment was received.'
        : preview.ptcPrice
          ? 'Price list of this release.'
          : `Now, by ${preview.priceSource}.`
    }
  ]
  return (
    <section className="card" aria-labelledby="figures">
      <div className="hero -m-px rounded-b-none p-5 sm:p-7" data-morph={`package-${morph}`}>
        <h2 id="figures" className="font-medium text-hero-muted">
          {preview.name}
        </h2>
        <dl className="mt-3">
          <dt className="text-sm text-hero-muted">Token amount</dt>
          <dd>
            <Amount
              value={formatUnits(units, preview.type)}
              unit={preview.type}
              className="text-amount font-semibold [&>span]:text-hero-muted"
            />
            {!isFixed && !preview.ptcPrice && <div className="text-sm text-hero-muted">At the price of this moment.</div>}
          </dd>
        </dl>
      </div>
      <div className="px-5 py-3 sm:px-7 sm:py-4">
        <Facts facts={[...facts, ...stakingFacts(preview, units)]} />
      </div>
      <p className="border-t border-line px-5 py-4 text-sm text-muted sm:px-7">
        Euro rate: {quote.euroRateSource}, {formatMoment(quote.euroRateAt)} UTC. The token price is computed from the time when
        your payment is received.
      </p>
    </section>
  )
})

function stakingFacts({ stakingMonth, stakingRateDefault, type }: ComboPreview, units: string): Fact[] {
  if (stakingMonth === 0) return [{ label: 'Staking', value: 'No Staking' }]
  const reward = rewardOfTerm(BigInt(units), stakingRateDefault, stakingMonth)
  return [
    { label: 'Staking', value: `${stakingMonth} Months, ${formatRate(stakingRateDefault)} a year` },
    {
      label: 'Staking rewards over the term',
      value: <Amount value={formatUnits(reward, type)} unit={type} />,
      hint: 'Non-compounding, paid quarterly.'
    }
  ]
}
