/** One HTTP request to a node, with a time-out and a size limit. Every failure is a NodeError. */
import { NodeError } from '../port.ts'

const TIMEOUT_MS = 10_000
/** The longest response that is read. A full block of Bitcoin takes 8 MB in hexadecimal. */
const MOST_BYTES = 64 * 1024 * 1024

export async function requestJson(url: URL, init: RequestInit = {}): Promise<unknown> {
  try {
    // fetch refuses a URL with credentials: they become a header.
    const target = new URL(url)
    const { username, password } = target
    target.username = ''
    target.password = ''
    const headers = new Headers(init.headers)
    if (username) headers.set('authorization', `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`)
    const response = await fetch(target, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return JSON.parse(await readText(response))
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw new NodeError(`The node at ${url.host} does not answer sensibly: ${error instanceof Error ? error.message : error}`, {
      cause: error
    })
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new NodeError(`The node sent more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
