import type { APIRoute } from 'astro'
import { browserOf } from '#layouts/platform/page.ts'

/** The editors' system opens a draft here: `?entry=ID&key=KEY`. Redirects to a link without the key, which may be passed on. */
export const GET: APIRoute = async (context) => {
  const { locals, url } = context
  const asked = { id: url.searchParams.get('entry') ?? '', key: url.searchParams.get('key') ?? '' }
  const { data, failure } = await locals.app.submit(browserOf(context), 'createNewsPreview', asked)
  const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }
  if (data) return new Response(null, { status: 302, headers: { ...headers, Location: data.path } })
  return new Response(failure?.message ?? '', { status: failure?.statusCode ?? 503, headers })
}
