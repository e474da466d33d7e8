/**
 * Starts a program of the build: the process (`npm run serve`) or one of the operator's commands. What Node compiles is kept in the build for
 * the next start, and not in the folder for temporary files, where another user of the machine could put code into it.
 */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Otherwise a line of code whose objects are kept at the start, e.g. the parts of statements in SQL, makes all its later objects in the old
// generation, where those of a page would stay until the next full collection.
setFlagsFromString('--no-allocation-site-pretenuring')
// The old generation is collected when it has grown to 1.5 times what the last collection left, instead of up to four times.
setFlagsFromString('--heap-growing-percent=50')

const [, , name = '', ...args] = process.argv
const server = resolve(import.meta.dirname, process.env.DIST_DIR || 'dist', 'server')
const program = resolve(server, 'process', `${name}.mjs`)
if (/^\w+$/.test(name) && existsSync(program)) {
  process.argv = [process.argv[0] ?? '', program, ...args]
  process.setSourceMapsEnabled(true)
  enableCompileCache(resolve(server, 'compiled'))
  await import(pathToFileURL(program).href)
} else {
  console.error('the product is not built: run `npm run build` first')
  process.exitCode = 1
}
