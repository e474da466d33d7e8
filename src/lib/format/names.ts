import { BRAND } from '../domain/brand.ts'

/** `ada lovelace` → `Ada Lovelace` */
export function titleCase(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ')
}

/** Up to two initials of a name; the brand's if there is no name (spec section 2). */
export function initials(name: string | null): string {
  const letters = (name ?? '')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase())
  const picked = letters.length > 1 ? [letters[0], letters.at(-1)] : letters
  return picked.join('') || BRAND.initials
}

type Named = { name: string | null; kycData: { info?: { firstName?: string; lastName?: string } } | null }

/** The name on the document of the identity check; null before it. */
export function verifiedName({ kycData }: Pick<Named, 'kycData'>): string | null {
  const { firstName = '', lastName = '' } = kycData?.info ?? {}
  return titleCase(`${firstName} ${lastName}`) || null
}

/** The customer's own name, otherwise the name from the identity check (spec section 2); null if neither is known. */
export function displayName({ name, kycData }: Named): string | null {
  const { firstName = '', lastName = '' } = kycData?.info ?? {}
  return name?.trim() || `${firstName} ${lastName}`.trim() || null
}
