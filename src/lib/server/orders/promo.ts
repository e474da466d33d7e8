import { AppError } from '../platform/errors.ts'

/** No code is configured, so every code is refused. Throws `promo_invalid`. */
export function checkPromoCode(): never {
  throw new AppError('promo_invalid')
}
