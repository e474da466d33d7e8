/** Reads of the API: retried twice where there was no answer or the server is busy, each try within its own time. */
import ky, { isHTTPError } from 'ky'
import { HttpError } from './sendJson.ts'
import { send } from './transport.ts'

const RETRIES = 2

const client = ky.create({ retry: { limit: RETRIES, methods: ['get'] }, fetch: send })

type Read = { headers: Record<string, string>; query: Record<string, string | number> | undefined; timeoutMs: number }

/** Resolves to the JSON of the answer. Throws like `sendJson`. */
export async function readJson<T>(url: URL, { headers, query, timeoutMs }: Read): Promise<T> {
  try {
    return await client.get(url, { headers, timeout: timeoutMs, ...(query && { searchParams: query }) }).json<T>()
  } catch (error) {
    if (!isHTTPError(error)) throw error
    throw new HttpError(error.response.status, typeof error.data === 'object' ? error.data : undefined)
  }
}
