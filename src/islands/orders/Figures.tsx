import { memo } from 'react'
import type { ComboPreview, Order } from '#lib/contract/types.ts'
import { formatEur, formatExact, formatExactUnits, formatShortPrice, formatShortUnits, formatUsd } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import type { View } from '#lib/format/view.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { Amount } from '../ui/Amount.tsx'
import { Exact } from '../ui/Exact.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'

type Props = { preview: ComboPreview; order: Order | undefined; view: View }

/** Cost and tokens of the package: from the order once it exists, before that from the quote. */
export const Figures = memo(function Figures({ preview, order, view: { timeZone } }: Props) {
  const quote = order ?? preview
  const { type } = preview
  const units = type === 'CPC' ? quote.cpcAmount : quote.ptcAmount
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
    {
      label: previewTexts.total,
      value: <Amount value={formatUsd(quote.totalAmount)} />,
      hint: order && (
        <>
          = <Amount value={formatEur(order.euroToPay)} />
        </>
      ),
      strong: true
    },
    {
      label: previewTexts.tokenPrice,
      value: <Amount value={formatShortPrice(price, type)} />,
      hint: isFixed
        ? previewTexts.priceFixed
        : preview.ptcPrice
          ? previewTexts.priceOfList
          : previewTexts.priceNow(preview.priceSource)
    }
  ]
  return (
    <section className="card roomy" aria-labelledby="figures">
      <h2 id="figures" className="text-sm text-muted">
        {preview.name}
      </h2>
      <dl className="@container mt-1 mb-3">
        <dt className="sr-only">{previewTexts.tokenAmount}</dt>
        <dd>
          <Exact
            shown={formatShortUnits(units, type)}
            exact={formatExactUnits(units, type)}
            unit={type}
            className="text-amount font-semibold"
          />
          {!isFixed && !preview.ptcPrice && <div className="text-sm text-muted">{previewTexts.atThisMoment}</div>}
        </dd>
      </dl>
      <Facts facts={facts} />
      <p className="mt-3 border-t border-line pt-4 text-sm text-muted">
        {previewTexts.euroRate(quote.euroRateSource, formatMoment(quote.euroRateAt, timeZone))}
      </p>
    </section>
  )
})
