import { renderSVG } from 'uqr'

/** A QR code as the address of an image; dark on white in both themes, as cameras want it. */
export function drawQr(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 4 }))}`
}
