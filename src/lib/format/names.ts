import { BRAND } from '../domain/brand.ts'

/** `ada lovelace` → `Ada Lovelace` */
export function titleCase(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ')
}

/** Up to two initials of a name; the brand's where there is none (spec section 2). */
export function initials(name: string | null): string {
  const letters = (name ?? '')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase())
  const picked = letters.length > 1 ? [letters[0], letters.at(-1)] : letters
  return picked.join('') || BRAND.initials
}
