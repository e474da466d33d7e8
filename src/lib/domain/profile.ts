type Named = { name: string | null; kycData: { info?: { firstName?: string; lastName?: string } } | null }

/** The customer's name, or that of the identity check (spec section 2); null where neither is known. */
export function displayName({ name, kycData }: Named): string | null {
  const { firstName = '', lastName = '' } = kycData?.info ?? {}
  return name?.trim() || `${firstName} ${lastName}`.trim() || null
}
