/**
 * The text of an EPC QR code (GiroCode), which many banking apps scan. Source: European Payments Council, EPC069-12, version 002:
 * twelve lines, the structured reference before the free text, which stays empty.
 */
type Transfer = { bic: string; name: string; iban: string; euro: string; reference: string }

/** `euro`: decimal text with two digits, e.g. `956.80`. */
export function epcText({ bic, name, iban, euro, reference }: Transfer): string {
  const plain = (text: string) => text.replace(/\s/g, '').toUpperCase()
  return ['BCD', '002', '1', 'SCT', plain(bic), name.slice(0, 70), plain(iban), `EUR${euro}`, '', plain(reference), '', ''].join(
    '\n'
  )
}
