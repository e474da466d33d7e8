/** The built product as it is handed over: `dist`, what starts it and its libraries, without the source. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../', import.meta.url))

export function builtProduct(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-built-'))
  const isNeeded = (path: string) => !path.endsWith('.map') && !path.endsWith('compiled')
  for (const name of ['dist', 'run.mjs', 'package.json'])
    cpSync(join(project, name), join(folder, name), { recursive: true, filter: isNeeded })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
