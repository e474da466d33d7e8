/** Labels and colours of a deposit's states (spec section 4). */
import type { DepositNote, DepositStatus } from '#lib/domain/deposits/deposit.ts'
import { depositNoteTexts } from '#messages/deposits/notes.ts'
import { depositStatusTexts } from '#messages/deposits/status.ts'
import type { Tone } from '../tone.ts'

const DEPOSIT_TONES: Record<DepositStatus, Tone> = { PENDING: 'gold', TX_CONFIRMED: 'blue', CREDITED: 'green' }

/** What a deposit says of itself: why it is not credited, where that is so; otherwise its status. */
export function depositLabel({ status, note }: { status: DepositStatus; note: DepositNote | null }): {
  label: string
  tone: Tone
} {
  if (note) return { label: depositNoteTexts[note].label, tone: 'grey' }
  return { label: depositStatusTexts[status], tone: DEPOSIT_TONES[status] }
}
