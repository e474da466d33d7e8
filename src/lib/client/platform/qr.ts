import { renderSVG } from 'uqr'

/** A QR code as a data URL of an SVG; dark on white in both themes, because cameras need it. */
export function drawQr(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 4 }))}`
}
