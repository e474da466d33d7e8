/** The build of the operators' desk. It shares no page and no script with the customers' build, because customers must not find it. */
import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, passthroughImageService } from 'astro/config'
import { pagesAtOnce, pagesLeaveNothing } from './src/build/libraries.mjs'
import { CSP_DIRECTIVES, FONTS, precompress, routeList } from './src/build/site.mjs'

export default defineConfig({
  output: 'server',
  srcDir: './src/desk',
  publicDir: './src/desk/public',
  outDir: `./${process.env.DIST_DIR || 'dist'}/desk`,
  cacheDir: './node_modules/.astro-desk',
  adapter: node({ mode: 'middleware', bodySizeLimit: 64 * 1024, experimentalDisableStreaming: true }),
  integrations: [precompress(), routeList()],
  trailingSlash: 'never',
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  security: {
    // The middleware checks it: behind a proxy that ends TLS, Astro can't know the origin that staff use.
    checkOrigin: false,
    csp: { directives: CSP_DIRECTIVES }
  },
  fonts: FONTS,
  vite: { cacheDir: './node_modules/.vite-desk', plugins: [tailwindcss(), pagesAtOnce(), pagesLeaveNothing()] }
})
