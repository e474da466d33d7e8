/** What the browser loads: few scripts, of one language, without what only the server needs. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { groupOf, missingParts } from './scriptGroups.mjs'

/**
 * Writes `dist/server/scripts.json`: for each source file, every script that the browser needs for it, so that a page
 * can request them all at once.
 */
export function scriptGraph() {
  const graph = {}
  const collector = {
    name: 'script-graph',
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return
      const withImports = (name, found = new Set()) => {
        if (found.has(name)) return found
        found.add(name)
        for (const imported of bundle[name]?.imports ?? []) withImports(imported, found)
        return found
      }
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.facadeModuleId) continue
        const file = relative(process.cwd(), chunk.facadeModuleId.split('?', 1)[0]).replaceAll('\\', '/')
        // One source file may contain several scripts.
        graph[file] = [...new Set([...(graph[file] ?? []), ...[...withImports(chunk.fileName)].map((name) => `/${name}`)])]
      }
    }
  }
  return {
    name: 'script-graph',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => updateConfig({ vite: { plugins: [collector] } }),
      'astro:build:done': ({ dir }) => writeFile(new URL('../server/scripts.json', dir), JSON.stringify(graph, null, 2))
    }
  }
}

/**
 * Few scripts instead of many small ones: on a slow line each costs a round trip. Shared code is grouped by feature and
 * by the pages that need it, so that a page without an island loads no React and one without figures no calendar.
 */
export function fewScripts() {
  return {
    name: 'few-scripts',
    buildStart() {
      const missing = missingParts()
      if (missing.length > 0) throw new Error(`src/build/scriptGroups.mjs groups what does not exist: ${missing.join(', ')}`)
    },
    configEnvironment(name) {
      if (name !== 'client') return undefined
      return {
        build: {
          rolldownOptions: {
            preserveEntrySignatures: 'allow-extension',
            output: {
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [{ name: (id) => (groupOf(id) === 'react' ? 'react' : null) }, { name: groupOf, minShareCount: 2 }]
              }
            }
          }
        }
      }
    }
  }
}

/**
 * Requests all files of a lazy part at once. Vite's own helper is ten times as long, because it also loads style sheets of lazy parts; ours
 * have none, and the build fails if one has.
 */
export function shortPreload() {
  return {
    name: 'short-preload',
    enforce: 'pre',
    load(id) {
      if (id !== '\0vite/preload-helper.js') return undefined
      return `const asked = new Set()
export const __vitePreload = (load, files) => {
  for (const file of files ?? []) {
    if (asked.has(file)) continue
    asked.add(file)
    // Not a link: the browser would remember one that failed, and a tap could not load its code later.
    fetch('/' + file).catch(() => undefined)
  }
  return load()
}`
    },
    generateBundle(_options, bundle) {
      for (const { fileName, code = '' } of Object.values(bundle))
        if (/m\.f=\[[^\]]*\.css/.test(code))
          throw new Error(`${fileName}: a lazy part has a style sheet, which nothing would load`)
    }
  }
}

/**
 * `client:paint` starts an island as soon as possible after the first paint; its scripts load meanwhile. A hidden page
 * never paints, so its islands start at once.
 */
export function clientPaint() {
  return {
    name: 'client-paint',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) =>
        addClientDirective({ name: 'paint', entrypoint: './src/build/clientPaint.mjs' })
    }
  }
}

/**
 * On the server a lazy part is there at once. Otherwise React would send the first page without it, and the part behind it with an inline
 * script, which the content security policy refuses.
 */
export function partsOnTheServer() {
  return {
    name: 'parts-on-the-server',
    enforce: 'pre',
    transform(code, id) {
      if (this.environment.name === 'client' || !id.endsWith('.tsx') || !code.includes('lazyPart(')) return undefined
      const imports = []
      const changed = code.replace(/lazyPart\(\(\) => import\(('[^']+')\)\)/g, (_, path) => {
        const name = `ServerPart${imports.length}`
        imports.push(`import ${name} from ${path}`)
        return name
      })
      return { code: `${changed}\n${imports.join('\n')}\n`, map: null }
    }
  }
}

/** Browsers do not load the rate limits of calls: the server alone counts them. */
export function limitsOnServer() {
  return {
    name: 'limits-on-server',
    enforce: 'pre',
    transform(code, id) {
      if (this.environment.name !== 'client' || !/[\\/]lib[\\/]contract[\\/]rules\.ts$/.test(id)) return undefined
      const without = code.replace(/^(export const \w+: Limits = )\{.*(?:\n .*)*(?:\n\})?$/gm, '$1{}')
      if (/\bmax: \d/.test(without)) throw new Error(`${id} changed: a limit is no longer where the build removes it`)
      return { code: without, map: null }
    }
  }
}

/**
 * Resolves `#messages/…` to the file of the language that is built, or to the English file if that language has none. So a build
 * has one language, in its scripts and in its pages.
 */
export function textsIn(language) {
  const folder = (name) => fileURLToPath(new URL(`../lib/messages/${name}/`, import.meta.url))
  return {
    name: 'texts-of-language',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('#messages/')) return undefined
      const path = source.slice('#messages/'.length)
      return [language, 'en'].map((name) => join(folder(name), path)).find((file) => existsSync(file))
    }
  }
}
