/** The environment of processes that tests start: nothing of the machine's own settings, and compiled code is kept between them. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const NODE_ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  // A third of a process's start is compiling.
  NODE_COMPILE_CACHE: join(tmpdir(), 'wallet-compile-cache')
}
