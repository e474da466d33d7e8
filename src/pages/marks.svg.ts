/** The marks of all tokens and the drawings of all projects in one file, for the lower parts of pages. Made at build time. */
import type { APIRoute } from 'astro'
import { drawings } from '#layouts/home/drawings.ts'
import { marks } from '#layouts/platform/marks.ts'

export const prerender = true

export const GET: APIRoute = () => {
  const symbols = Object.entries(marks).map(
    ([code, inner]) => `<symbol id="mark-${code}" viewBox="0 0 24 24" fill="none">${inner}</symbol>`
  )
  const lines = Object.entries(drawings).map(
    ([name, path]) => `<symbol id="drawing-${name}" viewBox="0 0 120 120"><path d="${path}"/></symbol>`
  )
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${[...symbols, ...lines].join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' }
  })
}
