/**
 * Finds uses of other features' tables in the code: SQL in strings and `.sql` files, and the query builder's calls. A table belongs to the
 * feature of its `schema.ts`, a view to the feature of its file. Only the owner writes a table; other features' SQL reads it through the
 * owner's views and functions.
 */
import { globSync, readFileSync } from 'node:fs'

/** File contents by path, relative to `src/lib/server`. */
export type Sources = Record<string, string>

export function readSources(root: string): Sources {
  const paths = globSync('**/*.{ts,sql}', { cwd: root })
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(`${root}/${path}`, 'utf8')]))
}

const featureOf = (path: string) => path.split('/')[0] ?? ''
const withoutComments = (path: string, text: string) =>
  path.endsWith('.sql') ? text.replace(/--.*/g, '') : text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*/g, '$1')

type Owners = { tables: Map<string, string>; views: Map<string, string>; constants: Map<string, string> }

function ownersOf(sources: Sources): Owners {
  const owners: Owners = { tables: new Map(), views: new Map(), constants: new Map() }
  for (const [path, text] of Object.entries(sources)) {
    if (path.endsWith('/schema.ts'))
      for (const [, constant = '', table = ''] of text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)) {
        owners.tables.set(table, featureOf(path))
        owners.constants.set(constant, featureOf(path))
      }
    for (const [, view = ''] of text.matchAll(/^CREATE OR REPLACE VIEW (\w+)/gm)) owners.views.set(view, featureOf(path))
  }
  return owners
}

/** A line for each violation, as `path: violation`. */
export function foreignUses(sources: Sources): string[] {
  const { tables, views, constants } = ownersOf(sources)
  const found: string[] = []
  const relations = [...tables.keys(), ...views.keys()].sort((a, b) => b.length - a.length).join('|')
  const written = new RegExp(
    `\\b(?:insert\\s+into|update|delete\\s+from|truncate(?:\\s+table)?|merge\\s+into)\\s+(?:only\\s+)?"?(${relations})"?\\b`,
    'gi'
  )
  const read = new RegExp(
    `\\b(?:from|join|using)\\s+(?:only\\s+)?"?(${[...tables.keys()].sort((a, b) => b.length - a.length).join('|')})"?\\b`,
    'gi'
  )
  for (const [path, raw] of Object.entries(sources)) {
    const feature = featureOf(path)
    // `app` composes all features, so it may use every table.
    if (feature === 'app') continue
    const text = withoutComments(path, raw)
    for (const [, name = ''] of text.matchAll(written)) {
      // Views are only for reading: not even the owner may write through them.
      if (views.has(name)) found.push(`${path}: writes through the view ${name}`)
      else if (tables.get(name) !== feature) found.push(`${path}: writes ${name}, a table of ${tables.get(name)}`)
    }
    for (const [, name = ''] of text.matchAll(read))
      if (tables.get(name) !== feature) found.push(`${path}: reads ${name}, a table of ${tables.get(name)}, in SQL of its own`)
    for (const [, name = ''] of text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)) {
      const owner = constants.get(name)
      const isImported = new RegExp(`import[^;]*?\\b${name}\\b[^;]*?from '\\.\\./`).test(text)
      if (owner && owner !== feature && isImported) found.push(`${path}: writes ${name}, a table of ${owner}`)
    }
    for (const [, name = ''] of text.matchAll(/\$\{(\w+)\}/g)) {
      const owner = constants.get(name)
      const before = text.slice(0, text.indexOf(`\${${name}}`))
      if (owner && owner !== feature && /\b(?:insert into|update|delete from|from|join)\s+$/i.test(before))
        found.push(`${path}: names ${name}, a table of ${owner}, in SQL of its own`)
    }
  }
  return found
}
