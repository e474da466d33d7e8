/** One request with a JSON body, sent once: what it does must not happen twice. Reads, which are retried, go by `retried.ts`. */
import { send } from './transport.ts'

/** An answer other than success; `data`: its JSON, undefined where it has none. */
export class HttpError extends Error {
  readonly status: number
  readonly data: unknown

  constructor(status: number, data: unknown) {
    super(`The server answered ${status}`)
    this.name = 'HttpError'
    this.status = status
    this.data = data
  }
}

type Sent = { method: string; headers?: Record<string, string>; body: unknown; timeoutMs: number; keepalive?: boolean }

/** Resolves to the JSON of the answer. Throws HttpError; another error where there was no answer in time, or none in JSON. */
export async function sendJson<T>(url: URL, { headers, body, timeoutMs, ...rest }: Sent): Promise<T> {
  const answer = await send(url, {
    ...rest,
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs)
  })
  if (!answer.ok) throw new HttpError(answer.status, await answer.json().catch(() => undefined))
  return answer.json()
}
