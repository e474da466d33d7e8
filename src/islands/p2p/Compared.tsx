import type { ReactNode } from 'react'
import { formatCoinPrice, formatDifference } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'

type Props = {
  /** Distance from the reference in basis points; negative if below. */
  difference: number
  isFar: boolean
  reference: string
  children?: ReactNode
}

/** The distance of a price from the reference as a sentence; as a warning from 10 % on. */
export function Compared({ difference, isFar, reference, children }: Props) {
  const price = `$${formatCoinPrice(reference, 'CPC')}`
  const percent = formatDifference(Math.abs(difference)).replace('+', '')
  const sentence =
    difference === 0
      ? texts.atReference(price)
      : difference > 0
        ? texts.aboveReference(percent, price)
        : texts.belowReference(percent, price)
  return (
    <span className={isFar ? 'font-medium text-gold' : undefined}>
      {sentence} {children}
    </span>
  )
}
