/**
 * Starts `server.ts` with the compile cache of earlier starts, which saves stripping types and compiling. The cache is in the
 * project, not in the folder for temporary files, where another user of the machine could put code into it.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/server', import.meta.url)))
await import('./server.ts')
