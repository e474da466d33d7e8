import node from '@astrojs/node'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, passthroughImageService } from 'astro/config'
import { pagesAtOnce, pagesLeaveNothing, sonnerWithoutStyleTag } from './src/build/libraries.mjs'
import {
  clientPaint,
  fewScripts,
  limitsOnServer,
  partsOnTheServer,
  scriptGraph,
  shortPreload,
  textsIn
} from './src/build/scripts.mjs'
import { benchPages, bundledServer, developmentRoutes, withoutSandbox } from './src/build/server.mjs'
import { CSP_DIRECTIVES, FONTS, precompress, routeList } from './src/build/site.mjs'

/** The language of this build; `npm run build` makes one for each of `src/lib/messages/locale.ts`. */
const language = process.env.BUILD_LANGUAGE ?? 'en'
const dist = process.env.BENCH ? './dist-bench' : `./${process.env.DIST_DIR || 'dist'}`

export default defineConfig({
  output: 'server',
  outDir: language === 'en' ? dist : `${dist}/${language}`,
  // Our forms are smaller; the default limit would let anybody fill the memory. A page is sent as a whole: all of it waits for the same
  // figures, so parts of it would come no sooner, and cost a fifth of its time. A part that fails cannot leave half a page behind.
  adapter: node({ mode: 'middleware', bodySizeLimit: 64 * 1024, experimentalDisableStreaming: true }),
  integrations: [
    react(),
    developmentRoutes(),
    precompress(),
    routeList(),
    scriptGraph(),
    clientPaint(),
    // It holds every language.
    ...(language === 'en' ? [bundledServer()] : []),
    ...(process.env.BENCH ? [benchPages()] : [])
  ],
  trailingSlash: 'never',
  // No image is processed at request time: it would cost seconds of a core.
  image: { service: passthroughImageService() },
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  server: { host: '127.0.0.1' },
  security: {
    // The middleware checks it: behind a proxy that ends TLS, Astro can't know the origin that customers use.
    checkOrigin: false,
    csp: { directives: CSP_DIRECTIVES }
  },
  fonts: FONTS,
  vite: {
    plugins: [
      textsIn(language),
      tailwindcss(),
      sonnerWithoutStyleTag(),
      partsOnTheServer(),
      limitsOnServer(),
      pagesAtOnce(),
      pagesLeaveNothing(),
      shortPreload(),
      fewScripts(),
      // What production needs: the image is built with it.
      ...(process.env.SANDBOX_CODE === 'none' ? [withoutSandbox()] : [])
    ]
  }
})
