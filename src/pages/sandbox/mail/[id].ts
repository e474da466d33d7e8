import { createHash } from 'node:crypto'
import type { APIRoute } from 'astro'

const hashOf = (style: string) => createHash('sha256').update(style).digest('base64')

/** A mail as a mail program shows it; it may load only the logo, and run no script. */
export const GET: APIRoute = async ({ locals, params }) => {
  const id = /^\d{1,18}$/.test(params.id ?? '') ? BigInt(params.id ?? '') : undefined
  const { sandbox } = locals.app
  const mail = id === undefined ? undefined : await sandbox?.mail(id)
  if (!mail || !sandbox) return new Response('Not found', { status: 404 })
  return new Response(mail.html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${hashOf(sandbox.mailStyle)}'; frame-ancestors 'none'`
    }
  })
}
