/**
 * The folder where the bank puts its files. A file that has been left alone for a while is moved to `working/` under a
 * name that no other file has, and read from there; received completely, it moves on to `processed/`. One with a problem
 * stays in `working/`, says why in a text file beside it, and is tried again.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BankDetails } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Bank, BankBatch } from '../port.ts'
import { readCamt } from './camt.ts'
import { UnreadableError } from './xml.ts'

/** A file that changed so recently may still be written. */
const SETTLED_MS = 5000
const MOST_BYTES = 20 * 1024 * 1024

type Options = { settledMs?: number; nowMs?: () => number }

export function folderBank(
  details: BankDetails,
  folder: string,
  log: Log,
  { settledMs = SETTLED_MS, nowMs = Date.now }: Options = {}
): Bank {
  const working = join(folder, 'working')
  const processed = join(folder, 'processed')
  const said = new Map<string, string>()

  /** Another process may have moved it a moment ago; that is no error. */
  async function moveAway(from: string, to: string): Promise<void> {
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  async function collect(): Promise<void> {
    for (const name of await xmlFiles(folder)) {
      const file = await stat(join(folder, name)).catch(() => undefined)
      if (!file || nowMs() - file.mtimeMs < settledMs) continue
      const unique = `${new Date(nowMs()).toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}-${name}`
      await moveAway(join(folder, name), join(working, unique))
    }
  }

  async function settle(name: string, problems: string[]): Promise<void> {
    const why = join(working, `${name}.why.txt`)
    if (problems.length === 0) {
      await rm(why, { force: true })
      await moveAway(join(working, name), join(processed, name))
      said.delete(name)
      return
    }
    const text = problems.join('\n')
    // Said once, not every minute.
    if (said.get(name) !== text) log.error({ file: name, problems }, 'bank statement not received completely')
    said.set(name, text)
    await writeFile(why, `${text}\n`)
  }

  async function read(name: string): Promise<Pick<BankBatch, 'statements' | 'problems'>> {
    const path = join(working, name)
    try {
      const before = await stat(path)
      if (before.size > MOST_BYTES) throw new UnreadableError(`The file has more than ${MOST_BYTES / 1024 / 1024} MiB`)
      const xml = await readFile(path, 'utf8')
      const after = await stat(path)
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new UnreadableError('The file is still being written')
      return readCamt(xml, details.euroIban)
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      return { statements: [], problems: [error.message] }
    }
  }

  return {
    details,
    // What is left in `working/` is what was not received yet, whatever the cursor says.
    entriesSince: async () => {
      await Promise.all([mkdir(working, { recursive: true }), mkdir(processed, { recursive: true })])
      await collect()
      const batches: BankBatch[] = []
      for (const name of await xmlFiles(working)) {
        batches.push({ cursor: name, ...(await read(name)), settle: (problems) => settle(name, problems) })
      }
      return batches
    }
  }
}

async function xmlFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith('.xml'))
    .map(({ name }) => name)
    .sort()
}
