/** Every token's drawing in one file, for the rows that a page shows later. Made at build time. */
import type { APIRoute } from 'astro'
import { marks } from '#layouts/marks.ts'

export const prerender = true

export const GET: APIRoute = () => {
  const symbols = Object.entries(marks).map(
    ([code, inner]) => `<symbol id="mark-${code}" viewBox="0 0 24 24" fill="none">${inner}</symbol>`
  )
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml' }
  })
}
