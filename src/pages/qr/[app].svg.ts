/** The QR codes of the mobile apps. We draw them ourselves, so that no other service learns who loads them. */
import type { APIRoute } from 'astro'
import { renderSVG } from 'uqr'

export const GET: APIRoute = ({ params, rewrite, locals: { app } }) => {
  const url = { 'app-store': app.links.appStore, 'play-store': app.links.playStore }[params.app ?? '']
  if (!url) return rewrite('/404')
  return new Response(renderSVG(new URL(url, app.context.origin).href, { border: 4 }), {
    headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' }
  })
}
