import type { APIRoute } from 'astro'

/** A picture of the news, e.g. `/news-image/<hash>-960.avif`. The hash is of its content, so a file never changes. */
export const GET: APIRoute = async ({ params, locals }) => {
  const image = await locals.app.readImage(params.file ?? '')
  if (!image) return new Response('Not found', { status: 404 })
  return new Response(image.body as BodyInit, {
    headers: { 'Content-Type': image.type, 'Cache-Control': 'public, max-age=31536000, immutable' }
  })
}
