/** The promo code of the bonus packages (spec section 5). */
import type { FormError } from '../fields.ts'

export function checkPromoCode(text: string): FormError | undefined {
  if (text.trim() === '') return 'promo_required'
  return text.length > 100 ? 'invalid' : undefined
}
