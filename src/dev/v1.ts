/** Injected only by `astro dev`: passes requests to the API that `src/server.ts` serves in front of the pages. */
import type { APIRoute } from 'astro'

export const ALL: APIRoute = ({ request, locals }) => {
  const incoming = { socket: { remoteAddress: locals.remoteAddress } } as never
  return locals.app.api.fetch(request, { requestId: locals.requestId, incoming })
}
