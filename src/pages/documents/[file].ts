import type { APIRoute } from 'astro'
import { pagesTexts } from '#messages/platform/pages.ts'

/** A document of this customer, e.g. `/documents/statement-2026-Q4.pdf`. */
export const GET: APIRoute = async ({ params, locals }) => {
  const { app, customer } = locals
  const file = customer && (await app.readDocument(customer, params.file ?? ''))
  if (!file) return new Response(pagesTexts.notFound, { status: 404 })
  return new Response(file.body as BodyInit, {
    headers: { 'Content-Type': file.type, 'Content-Disposition': `attachment; filename="${file.name}"` }
  })
}
