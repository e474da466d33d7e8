/**
 * Starts the process: its bundle from the build, with the compile cache of earlier starts. The cache is in the project, not in the folder
 * for temporary files, where another user of the machine could put code into it.
 */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = resolve(root, process.env.DIST_DIR || 'dist', 'server/process/server.mjs')
if (existsSync(bundle)) {
  process.setSourceMapsEnabled(true)
  enableCompileCache(resolve(root, 'node_modules/.cache/server'))
  await import(pathToFileURL(bundle).href)
} else {
  console.error('the product is not built: run `npm run build` first')
  process.exitCode = 1
}
