/** The mark of each token as a picture, drawn at build time: what `iconImage` of the balance call leads to. */
import type { APIRoute, GetStaticPaths } from 'astro'
import { TOKENS } from '#lib/domain/money/currencies.ts'

export const prerender = true

export const getStaticPaths: GetStaticPaths = () => TOKENS.map(({ code, name }) => ({ params: { code }, props: { name } }))

export const GET: APIRoute<{ name: string }> = ({ props: { name } }) =>
  new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#0c3b2c"/><text x="20" y="27" font-family="sans-serif" font-size="19" font-weight="600" text-anchor="middle" fill="#e0b95a">${name.charAt(0)}</text></svg>`,
    { headers: { 'Content-Type': 'image/svg+xml' } }
  )
