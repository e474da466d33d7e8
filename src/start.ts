/**
 * Starts `server.ts` with its compiled code from the time before: the next start neither strips types nor compiles, so it
 * is sooner there. The code is kept in the project, not in the folder for temporary files, where somebody else on the
 * machine could put some.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/server', import.meta.url)))
await import('./server.ts')
