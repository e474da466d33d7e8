/** The weight of a page's HTML: what is counted and what is allowed. The reasons are in docs/performance.md. */
import { brotliCompressSync } from 'node:zlib'

const KB = 1000
/** Bytes: as it is, and brotli. */
export const HTML_BUDGET = { html: 40 * KB, htmlBrotli: 8 * KB }

const STYLE = /<style[^>]*>[\s\S]*?<\/style>/g

/** `styles`: the style sheets inside the page, which are weighed as such. */
export function weighHtml(body: string): { html: number; htmlBrotli: number; styles: string } {
  const html = body.replace(STYLE, '')
  return {
    html: Buffer.byteLength(html),
    htmlBrotli: brotliCompressSync(html).length,
    styles: body.match(STYLE)?.join('') ?? ''
  }
}
