import type { Deposit } from '#lib/client/deposits/deposit.ts'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { minutesOf } from '#lib/domain/deposits/deposit.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { depositTexts as texts } from '#messages/deposits/deposit.ts'
import { CopyText } from '../platform/CopyText.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

/** A deposit on its way, and for a day after it was credited. */
export function Arriving({ deposit, currency, timeZone }: { deposit: Deposit; currency: ChainToken; timeZone: string }) {
  const { status, confirmations: seen, confirmationsNeeded: needed, amount, createdAt } = deposit
  const isCredited = status === 'CREDITED'
  const id = deposit.txId ?? deposit.transactionHash ?? ''
  return (
    <section className="card roomy" aria-label={texts.transaction}>
      <h2 className="flex items-center justify-between gap-3 font-semibold">
        {isCredited ? texts.credited : texts.weSee(seen, needed)}
        <TokenMark code={currency} />
      </h2>
      <p className="figure mt-2 text-2xl font-semibold">
        <span className="eye">+{formatExactUnits(amount, currency)}</span>{' '}
        <span className="text-base font-normal text-muted">{currency}</span>
      </p>
      {isCredited ? (
        <p className="mt-2 text-sm text-muted">
          {texts.inSpot}{' '}
          <a className="link inline-flex min-h-11 items-center" href={`/token/${currency}`}>
            {texts.seeIt(currency)}
          </a>
        </p>
      ) : (
        <>
          <div
            role="progressbar"
            aria-label={texts.confirmations}
            aria-valuemin={0}
            aria-valuemax={needed}
            aria-valuenow={seen}
            className="mt-3 flex gap-1"
          >
            {Array.from({ length: needed }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never move
              <span key={index} className={`h-2 flex-1 rounded-full ${index < seen ? 'bg-accent' : 'bg-line'}`} />
            ))}
          </div>
          <p className="mt-1 text-sm text-muted">
            <b className="font-semibold text-ink">{texts.progress(seen, needed)}</b>{' '}
            {texts.creditedAt(needed, minutesOf(currency, needed - seen))}
          </p>
        </>
      )}
      <p className="mt-2 text-sm text-muted">
        {texts.seenAt} {formatMoment(createdAt, timeZone)}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {texts.transaction}
        <span className="figure" translate="no">
          {id.slice(0, 8)}…{id.slice(-6)}
        </span>
        <CopyText text={id} label={texts.transaction} />
      </p>
    </section>
  )
}
