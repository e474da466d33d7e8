/** Injected only by `astro dev`: passes requests to the API that `src/server.ts` serves in front of the pages. */
import type { APIRoute } from 'astro'

export const ALL: APIRoute = ({ request, locals }) => locals.app.api.fetch(request, { requestId: locals.requestId })
