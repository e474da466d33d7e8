import { createHash } from 'node:crypto'
import type { APIRoute } from 'astro'
import { MAIL_STYLE } from '#lib/messages/mailLayout.ts'

const STYLE_HASH = createHash('sha256').update(MAIL_STYLE).digest('base64')

/** A mail as a mail program shows it; it may load and run nothing. */
export const GET: APIRoute = async ({ locals, params }) => {
  const id = /^\d{1,18}$/.test(params.id ?? '') ? BigInt(params.id ?? '') : undefined
  const mail = id === undefined ? undefined : await locals.app.sandbox?.mail(id)
  if (!mail) return new Response('Not found', { status: 404 })
  return new Response(mail.html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`
    }
  })
}
