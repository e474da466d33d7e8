/** Gets the XML of a list from an address or a file. */
import { readFile } from 'node:fs/promises'
import { ScreeningError } from '../port.ts'

const TIMEOUT_MS = 120_000
/** The EU's list has 26 MB. */
const MOST_BYTES = 200 * 1024 * 1024

/** Throws ScreeningError. The address may hold a token: it is in no error. */
export const listAt = (place: string) => async (): Promise<string> => {
  try {
    const xml = /^https?:/.test(place) ? await download(place) : await readFile(place, 'utf8')
    if (xml.length > MOST_BYTES) throw new ScreeningError('The list is too large')
    return xml
  } catch (error) {
    if (error instanceof ScreeningError) throw error
    throw new ScreeningError(`The list cannot be read: ${error instanceof Error ? error.name : 'no reason given'}`)
  }
}

async function download(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new ScreeningError(`The list's server answers ${response.status}`)
  return response.text()
}
