/** What a page leaves in memory until the next full collection: docs/decisions/0054. */
import { setTimeout } from 'node:timers/promises'
import { type ServerProcess, startServer } from '../support/serverProcess.ts'
import { signUpAt } from '../support/visitor.ts'
import type { Row } from './measure.ts'

const PATHS = ['/dashboard', '/activity', '/news', '/staking', '/sign-up']
const PAGES = 600
const MOST_KB = 8
const TRIES = 10
const ANSWERS_WITHIN_MS = 10_000

type InUse = { bytes: number; fullCollections: number }

async function inUse(server: ServerProcess): Promise<InUse> {
  const from = server.log().length
  process.kill(server.pid, 'SIGUSR2')
  for (const began = performance.now(); performance.now() - began < ANSWERS_WITHIN_MS; ) {
    const [, bytes, full] = /in use: (\d+) after (\d+)\n/.exec(server.log().slice(from)) ?? []
    if (bytes) return { bytes: Number(bytes), fullCollections: Number(full) }
    // Its log is all that the server can answer with.
    await setTimeout(20)
  }
  throw new Error('The server does not say what is in use')
}

/** Asks one page after the other, so that none is unfinished while the memory is looked at. */
async function ask(url: string, headers: Record<string, string>): Promise<void> {
  for (let done = 0; done < PAGES; done += 1) {
    const response = await fetch(url, { headers, redirect: 'error' })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
  }
}

/** kB a page. A full collection between two looks spoils them, and they are taken again. */
async function leftBy(server: ServerProcess, path: string, headers: Record<string, string>): Promise<number> {
  await ask(`${server.url}${path}`, headers)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await inUse(server)
    await ask(`${server.url}${path}`, headers)
    const after = await inUse(server)
    if (after.fullCollections === before.fullCollections) return (after.bytes - before.bytes) / 1000 / PAGES
  }
  throw new Error(`${path}: ${TRIES} times there was a full collection`)
}

export async function benchLeft(databaseUrl: string): Promise<Row[]> {
  const server = await startServer(
    {
      DATABASE_URL: databaseUrl,
      DIST_DIR: 'dist-bench',
      LOG_LEVEL: 'info',
      NODE_OPTIONS: '--import ./tests/bench/youngCollections.mjs'
    },
    { keepLog: true }
  )
  const left: { path: string; kB: number }[] = []
  try {
    const { cookie } = await signUpAt(server.url)
    for (const path of PATHS) left.push({ path, kB: await leftBy(server, path, path === '/sign-up' ? {} : { cookie }) })
  } finally {
    await server.stop()
  }
  const most = Math.max(...left.map(({ kB }) => kB))
  return [
    {
      what: `what a page leaves until the next full collection, the worst of ${PATHS.length}`,
      value: `${most.toFixed(1)} kB (${left.find(({ kB }) => kB === most)?.path})`,
      wanted: `≤ ${MOST_KB} kB`,
      holds: most <= MOST_KB
    }
  ]
}
