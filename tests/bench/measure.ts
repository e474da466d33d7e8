/** How the benchmarks measure: candidates take turns over several rounds, and the median of each counts. */
import autocannon from 'autocannon'

export type Candidate = { name: string; run: () => Promise<number> }
export type Row = { what: string; value: string; wanted: string; holds: boolean | undefined }

const ROUNDS = 9
export const SECONDS = 2
const CONNECTIONS = 16

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The median of each candidate over interleaved rounds. An extra first round warms up and does not count. */
export async function interleave(candidates: Candidate[], rounds = ROUNDS): Promise<number[]> {
  const results = candidates.map((): number[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const value = await candidate.run()
      if (round > 0) results[index]?.push(value)
    }
  }
  return results.map(median)
}

/** Requests per second over `SECONDS`; throws if any answer is not 2xx. */
export async function requestsPerSecond(
  url: string,
  headers: Record<string, string> = {},
  connections = CONNECTIONS
): Promise<number> {
  const result = await autocannon({ url, connections, duration: SECONDS, headers })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return result.requests.average
}

const PAGES_TO_WARM = 20_000

/**
 * Asks until the process has compiled what it uses often. V8 makes its fastest code of a function only after 3,000 calls, so it is done with a dashboard
 * after 16,000 of them: the first 500 take four times the CPU of later ones, those from 5,000 to 10,000 a fifth more.
 */
export async function warm(url: string, headers: Record<string, string> = {}): Promise<void> {
  await autocannon({ url, connections: CONNECTIONS, amount: PAGES_TO_WARM, headers })
}

/** Runs of `work` per second, by `workers` in parallel. */
export async function operationsPerSecond(work: () => Promise<unknown>, workers: number, seconds = SECONDS): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < end) {
        await work()
        count += 1
      }
    })
  )
  return count / seconds
}

export function ratioRow(what: string, ratio: number, wanted: number): Row {
  return { what, value: ratio.toFixed(2), wanted: `≥ ${wanted}`, holds: ratio >= wanted }
}
