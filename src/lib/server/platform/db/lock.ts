/**
 * Lets only one process at a time use a data folder. The lock is the operating system's, held through an SQLite file: it ends with
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

/** Takes the lock and returns the function that releases it; throws FolderInUseError if another process has it. */
export function lockFolder(folder: string): () => void {
  const holder = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    holder.exec('begin exclusive')
  } catch (error) {
    holder.close()
    if (error instanceof Error && /locked/.test(error.message)) throw new FolderInUseError(folder)
    throw error
  }
  return () => holder.close()
}
