/** The QR codes of the mobile apps, drawn at build time, so that no other service learns who loads them. */
import type { APIRoute, GetStaticPaths } from 'astro'
import { renderSVG } from 'uqr'
import { BRAND } from '#lib/domain/brand.ts'

export const prerender = true

export const getStaticPaths: GetStaticPaths = () => BRAND.apps.map(({ id, url }) => ({ params: { app: id }, props: { url } }))

export const GET: APIRoute<{ url: string }> = ({ props }) =>
  new Response(renderSVG(props.url, { border: 4 }), { headers: { 'Content-Type': 'image/svg+xml' } })
