import { memo } from 'react'
import type { ComboPreview, Order } from '#lib/contract/types.ts'
import { rewardOfTerm } from '#lib/domain/staking/terms.ts'
import { formatEur, formatExact, formatPrice, formatRate, formatUnits, formatUsd } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { previewTexts } from '#lib/messages/en/orders/preview.ts'
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
      label: previewTexts.fiatAmount,
      value: <Amount value={formatUsd(quote.fiatAmount)} />,
      hint: (
        <>
          <Amount value={formatEur(quote.euroAmount)} /> {previewTexts.rateAt}{' '}
          <Amount value={`€${formatExact(quote.euroRate)}`} /> {previewTexts.ratePerDollar}
        </>
      )
    },
    { label: previewTexts.fee, value: <Amount value={formatUsd(quote.feeAmount)} /> },
    { label: previewTexts.total, value: <Amount value={formatUsd(quote.totalAmount)} />, strong: true },
    {
      label: previewTexts.tokenPrice,
      value: <Amount value={formatPrice(price, preview.type)} />,
      hint: isFixed
        ? previewTexts.priceFixed
        : preview.ptcPrice
          ? previewTexts.priceOfList
          : previewTexts.priceNow(preview.priceSource)
    }
  ]
  return (
    <section className="card" aria-labelledby="figures">
      <div className="hero -m-px rounded-b-none p-5 sm:p-7" data-morph={`package-${morph}`}>
        <h2 id="figures" className="font-medium text-hero-muted">
          {preview.name}
        </h2>
        <dl className="mt-3">
          <dt className="text-sm text-hero-muted">{previewTexts.tokenAmount}</dt>
          <dd>
            <Amount
              value={formatUnits(units, preview.type)}
              unit={preview.type}
              className="text-amount font-semibold [&>span]:text-hero-muted"
            />
            {!isFixed && !preview.ptcPrice && <div className="text-sm text-hero-muted">{previewTexts.atThisMoment}</div>}
          </dd>
        </dl>
      </div>
      <div className="px-5 py-3 sm:px-7 sm:py-4">
        <Facts facts={[...facts, ...stakingFacts(preview, units)]} />
      </div>
      <p className="border-t border-line px-5 py-4 text-sm text-muted sm:px-7">
        {previewTexts.euroRate(quote.euroRateSource, formatMoment(quote.euroRateAt))}
      </p>
    </section>
  )
})

function stakingFacts({ stakingMonth, stakingRateDefault, type }: ComboPreview, units: string): Fact[] {
  if (stakingMonth === 0) return [{ label: previewTexts.staking, value: previewTexts.noStaking }]
  const reward = rewardOfTerm(BigInt(units), stakingRateDefault, stakingMonth)
  return [
    { label: previewTexts.staking, value: previewTexts.stakingTerm(stakingMonth, formatRate(stakingRateDefault)) },
    {
      label: previewTexts.stakingRewards,
      value: <Amount value={formatUnits(reward, type)} unit={type} />,
      hint: previewTexts.stakingPaid
    }
  ]
}
