/** The weight of a page's HTML: what is counted and what is allowed. The reasons are in docs/performance.md. */
import { brotliCompressSync } from 'node:zlib'

const KB = 1000
/** Bytes, uncompressed and with brotli. */
export const HTML_BUDGET = { html: 40 * KB, htmlBrotli: 9 * KB }

const STYLE = /<style[^>]*>[\s\S]*?<\/style>/g

/** Weighs the HTML without its inline style sheets, which are returned as `styles` and weighed separately. */
export function weighHtml(body: string): { html: number; htmlBrotli: number; styles: string } {
  const html = body.replace(STYLE, '')
  return {
    html: Buffer.byteLength(html),
    htmlBrotli: brotliCompressSync(html).length,
    styles: body.match(STYLE)?.join('') ?? ''
  }
}
