/** Reads the response of another server, up to a maximum size. */
export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/** Throws TooLargeError without reading the rest. */
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
