/** What of a payer's text looks like a reference; the rest may name people. */
export function writtenReference(remittance: string): string | undefined {
  const found = /RF[\s\d.\-/]{6,30}/i.exec(remittance)?.[0] ?? /\d[\s\d.\-/]{8,24}\d/.exec(remittance)?.[0]
  const plain = found?.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return plain && plain.length >= 8 ? plain : undefined
}
