/** Passes a euro withdrawal from its form to the confirmation page: in session storage, never in a URL. */
import { EURO_SOURCES, type EuroSource, type PayoutId, SAMPLE_PAYOUTS } from '#lib/domain/euro/sample.ts'
import { euroFigures } from '#lib/domain/euro/withdrawal.ts'

export type EuroWithdrawal = { source: EuroSource; payout: PayoutId; amount: string; remarks: string }

const KEY = 'euro-withdrawal'

export function handOver(withdrawal: EuroWithdrawal): void {
  sessionStorage.setItem(KEY, JSON.stringify(withdrawal))
}

/** Undefined if nothing was handed over, or it is not a valid withdrawal. */
export function readHandover(): EuroWithdrawal | undefined {
  try {
    const kept: Partial<EuroWithdrawal> = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    const source = EURO_SOURCES.find((one) => one === kept.source)
    const payout = SAMPLE_PAYOUTS.find(({ id }) => id === kept.payout)?.id
    const amount = String(kept.amount ?? '')
    if (!source || !payout || euroFigures(source, amount).problem) return undefined
    return { source, payout, amount, remarks: String(kept.remarks ?? '') }
  } catch {
    return undefined
  }
}

export function endHandover(): void {
  sessionStorage.removeItem(KEY)
}
