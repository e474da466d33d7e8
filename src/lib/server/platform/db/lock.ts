/**
 * Lets only one process at a time use a data folder, or a signer's journal. The lock is the operating system's, held through an SQLite file: it ends with
 * the process, however that ends, so it can't be left behind.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class FolderInUseError extends Error {
  constructor(folder: string) {
    super(
      `Another process uses the embedded database in "${folder}". Stop it first, or start this one with another DATA_DIR or with a DATABASE_URL.`
    )
    this.name = 'FolderInUseError'
  }
}

/** Takes a lock and returns the function that releases it; undefined if another process has it. `file` is made for it. */
export function lockFile(file: string): (() => void) | undefined {
  const holder = new DatabaseSync(file)
  try {
    holder.exec('begin exclusive')
  } catch (error) {
    holder.close()
    if (error instanceof Error && /locked/.test(error.message)) return undefined
    throw error
  }
  return () => holder.close()
}

/** The same for a data folder; throws FolderInUseError if another process has it. */
export function lockFolder(folder: string): () => void {
  const unlock = lockFile(join(folder, 'lock.sqlite'))
  if (!unlock) throw new FolderInUseError(folder)
  return unlock
}
