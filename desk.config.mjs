/** The operators' desk: a build of its own, on an origin of its own. Nothing of it is in the customers' pages, and nothing of theirs here. */
import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, fontProviders, passthroughImageService } from 'astro/config'
import { pagesAtOnce, precompress, routeList } from './src/build.mjs'

export default defineConfig({
  output: 'server',
  srcDir: './src/desk',
  publicDir: './src/desk/public',
  outDir: './dist/desk',
  cacheDir: './node_modules/.astro-desk',
  adapter: node({ mode: 'middleware', bodySizeLimit: 64 * 1024, experimentalDisableStreaming: true }),
  integrations: [precompress(), routeList()],
  trailingSlash: 'never',
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  security: {
    // Pages take no changes: those go through the desk's API, which checks the origin. A search is a form.
    checkOrigin: true,
    csp: {
      directives: [
        "default-src 'self'",
        "base-uri 'none'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "object-src 'none'"
      ]
    }
  },
  fonts: [
    {
      provider: fontProviders.local(),
      name: 'Geist',
      cssVariable: '--font-geist',
      fallbacks: ['sans-serif'],
      options: { variants: [{ src: ['./src/layouts/fonts/geist.woff2'], weight: '400 700', style: 'normal' }] }
    }
  ],
  vite: { cacheDir: './node_modules/.vite-desk', plugins: [tailwindcss(), pagesAtOnce()] }
})
