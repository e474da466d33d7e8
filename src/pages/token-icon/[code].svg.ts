/** The mark of each token as a picture, made at build time; `iconImage` of the balance call links to it. */
import type { APIRoute, GetStaticPaths } from 'astro'
import { marks } from '#layouts/platform/marks.ts'
import { TOKENS } from '#lib/domain/money/currencies.ts'

export const prerender = true

export const getStaticPaths: GetStaticPaths = () => TOKENS.map(({ code }) => ({ params: { code } }))

export const GET: APIRoute = ({ params: { code = '' } }) =>
  new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><clipPath id="round"><circle cx="12" cy="12" r="12"/></clipPath><g clip-path="url(#round)">${marks[code] ?? ''}</g></svg>`,
    { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' } }
  )
