/** Changes to libraries. One that no longer has what is changed here fails the build. */
import { resolve } from 'node:path'

/**
 * What the server does for every page, made cheaper: an island is rendered to text at once, not through a stream that is then collected (no
 * part of it waits for anything); whether a component is React's is tried once, not with every rendering, for which it would be rendered
 * twice; the hash of a style or script of the build is computed once; and an island gets no `uid`, which is a hash of all its text and
 * properties, and which nothing reads.
 */
export function pagesAtOnce() {
  const changes = [
    {
      file: /@astrojs[\\/]react[\\/]dist[\\/]server\.js$/,
      replace: [
        ['await renderToReadableStreamAsync(vnode, renderOptions)', 'ReactDOM.renderToString(vnode, renderOptions)'],
        ['const renderer = {', 'const reactComponents = new Set();\nconst renderer = {'],
        [
          '  check,',
          `  check: async function (Component, ...args) {
    const isReact = reactComponents.has(Component) || (await check.call(this, Component, ...args));
    if (isReact) reactComponents.add(Component);
    return isReact;
  },`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]core[\\/]encryption\.js$/,
      replace: [
        [
          'async function generateCspDigest(data, algorithm) {',
          `const knownDigests = new Map();
function generateCspDigest(data, algorithm) {
  const key = algorithm + data;
  const known = knownDigests.get(key) ?? makeCspDigest(data, algorithm);
  if (knownDigests.size < 1000) knownDigests.set(key, known);
  return known;
}
async function makeCspDigest(data, algorithm) {`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]component\.js$/,
      replace: [
        [
          `  const astroId = shorthash(
    \`<!--\${metadata.componentExport.value}:\${metadata.componentUrl}-->
\${html}
\${serializeProps(
      props,
      metadata
    )}\`
  );`,
          '  const astroId = undefined;'
        ]
      ]
    }
  ]
  return changedLibraries('pages-at-once', changes)
}

/**
 * What the server makes for a page is garbage as soon as the page is sent. V8 keeps it until a full collection, in the old generation, where an
 * object has a getter of its own (`pageContexts.mjs`), or where a new function is assigned to a property, which V8 takes for a method and puts
 * there at once. All that the getter or function can reach then stays, too. Here such functions get a name before they are assigned. Node's writable
 * streams have such a function as well: the one that compresses a page lets go of the page at its end, and is destroyed where the browser leaves
 * before. And a page, which is drawn as a whole, is sent as bytes, without a web stream that copies it twice; its reason phrase is Node's.
 */
export function pagesLeaveNothing() {
  /** Of an answer, replaced by `compression`. */
  const proxied = ['flush', 'write', 'end', 'on']
  const bytes = 'Symbol.for("bytesOfPage")'
  const answer = 'return new Response(body, { ...init, headers, status, statusText });'
  const changes = [
    {
      file: /astro[\\/]dist[\\/]core[\\/]fetch[\\/]fetch-state\.js$/,
      replace: [
        [
          `,
      get locals() {
        return self.locals;
      }
    };
    this.componentInstance`,
          `
    };
    this.componentInstance`
        ],
        ['this.locals = options?.locals ?? {};', 'this.locals = this.renderOptions.locals = options?.locals ?? {};'],
        [
          `,
      get headers() {
        return headers;
      },
      set headers(_) {
        throw new AstroError(AstroErrorData.AstroResponseHeadersReassigned);
      }
    };`,
          `
    };
    Object.defineProperty(response, "headers", { value: headers, enumerable: true });`
        ],
        [
          'export {\n  FetchState,',
          `import { leaveNothing } from ${JSON.stringify(resolve('src/build/pageContexts.mjs'))};
leaveNothing(FetchState, {
  ASTRO_GENERATOR, AstroError, AstroErrorData, Slots, astroToRuntimeLogger, createCallAction, createGetActionResult, getOriginPathname, getSite,
  responseSentSymbol
});
export {
  FetchState,`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]astro[\\/]instance\.js$/,
      replace: [
        ['this.slotValues[name] = () => {', 'const slotValue = () => {'],
        [
          'return slots[name](result);\n      };',
          'return slots[name](result);\n      };\n      this.slotValues[name] = slotValue;'
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]page\.js$/,
      replace: [
        [
          answer,
          `const page = ${answer.slice('return '.length)}\n    if (!streaming) page[${bytes}] = Buffer.from(body.buffer, body.byteOffset, body.byteLength);\n    return page;`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]core[\\/]app[\\/]node\.js$/,
      replace: [
        [
          'const { status, headers, body, statusText } = source;',
          `const bytes = source[${bytes}];\n  const { status, headers } = source;\n  const { body, statusText } = bytes ? {} : source;`
        ],
        ['if (!body) return destination.end();', 'if (!body) return destination.end(bytes);']
      ]
    },
    {
      file: /[\\/]pg[\\/]lib[\\/]client\.js$/,
      replace: [
        [
          '      query.callback = (err, res) => {\n        clearTimeout',
          '      const answered = (err, res) => {\n        clearTimeout'
        ],
        ['queryCallback(err, res)\n      }', 'queryCallback(err, res)\n      }\n      query.callback = answered']
      ]
    },
    {
      file: /[\\/]compression[\\/]index\.js$/,
      replace: [
        ...proxied.map((name) => [`res.${name} = function ${name} (`, `var ${name}OfPage = function ${name} (`]),
        [
          '    function nocompress',
          `${proxied.map((name) => `    res.${name} = ${name}OfPage\n`).join('')}    function nocompress`
        ],
        // Not before the end: until then the compressor may still be writing into this buffer, on another thread.
        [
          '        _end.call(res)\n',
          '        _end.call(res)\n        stream.removeAllListeners()\n        stream._outBuffer = null\n'
        ],
        ["      _on.call(res, 'drain'", "      _on.call(res, 'close', () => stream.destroy())\n\n      _on.call(res, 'drain'"]
      ]
    }
  ]
  return changedLibraries('pages-leave-nothing', changes)
}

/** Replaces texts of libraries on the server; a library that no longer has one of them fails the build. */
function changedLibraries(name, changes) {
  return {
    name,
    transform(code, id) {
      const due = this.environment.name === 'client' ? [] : changes.filter(({ file }) => file.test(id))
      if (due.length === 0) return undefined
      let changed = code
      for (const [from, to] of due.flatMap(({ replace }) => replace)) {
        if (!changed.includes(from)) throw new Error(`${id} changed: it no longer has "${from}"`)
        changed = changed.replace(from, () => to)
      }
      return { code: changed, map: null }
    }
  }
}

/** sonner writes a `<style>` element, which the content security policy refuses; its CSS file is imported instead. */
export function sonnerWithoutStyleTag() {
  return {
    name: 'sonner-without-style-tag',
    transform(code, id) {
      if (!/sonner[\\/]dist[\\/]index\.mjs/.test(id)) return undefined
      const stripped = code.replace(/^__insertCSS\(.*\);?$/m, '')
      if (stripped === code) throw new Error('sonner changed: its style element is no longer where we remove it')
      return { code: stripped, map: null }
    }
  }
}
