/** Injected by `astro dev` alone: hands over to the same API that `src/server.ts` serves in front of the pages. */
import type { APIRoute } from 'astro'

export const ALL: APIRoute = ({ request, locals }) => locals.app.api.fetch(request, { requestId: locals.requestId })
