/** Reads an answer of somebody else's server, at most so many bytes of it. */
export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/** Throws TooLargeError; the rest is then not read. */
export async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
