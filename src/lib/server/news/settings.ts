/** Settings of the editors' system. Without a space there is no news. */
import type { Environment } from '../platform/config.ts'

export type ContentfulConfig = {
  space: string
  environment: string
  locale: string
  /** The id of the content type of a news entry. */
  contentType: string
  /** The Content Delivery API and its token. */
  url: string
  token: string
  /** The Content Preview API; without its token there are no previews. */
  previewUrl: string
  previewToken: string | undefined
  /** The only origin that pictures are fetched from, e.g. `https://images.ctfassets.net`. */
  imagesOrigin: string
  /** The key with which Contentful signs its webhooks: 64 characters. */
  webhookSecret: string
  /** The key with which editors open previews; without it there are no previews. */
  previewKey: string | undefined
}

const SECRET = /^[\w+/=-]{64}$/

export function readContentfulConfig(env: Environment, problems: string[]): ContentfulConfig | undefined {
  const space = env.CONTENTFUL_SPACE
  if (!space) return undefined
  if (!env.CONTENTFUL_TOKEN) problems.push('CONTENTFUL_TOKEN is missing: the token of the Content Delivery API')
  if (!SECRET.test(env.CONTENTFUL_WEBHOOK_SECRET ?? ''))
    problems.push('CONTENTFUL_WEBHOOK_SECRET is missing or not the 64 characters that Contentful signs with')
  if (env.CONTENTFUL_PREVIEW_KEY && env.CONTENTFUL_PREVIEW_KEY.length < 24)
    problems.push('CONTENTFUL_PREVIEW_KEY is weak: at least 24 random characters, e.g. from `openssl rand -hex 24`')
  for (const name of ['CONTENTFUL_URL', 'CONTENTFUL_PREVIEW_URL', 'CONTENTFUL_IMAGES']) {
    const text = env[name]
    if (text && !(URL.canParse(text) && new URL(text).protocol === 'https:')) problems.push(`${name} must start with https://`)
  }
  return {
    space,
    environment: env.CONTENTFUL_ENVIRONMENT || 'master',
    locale: env.CONTENTFUL_LOCALE || 'en-US',
    contentType: env.CONTENTFUL_CONTENT_TYPE || 'news',
    url: env.CONTENTFUL_URL || 'https://cdn.contentful.com',
    token: env.CONTENTFUL_TOKEN ?? '',
    previewUrl: env.CONTENTFUL_PREVIEW_URL || 'https://preview.contentful.com',
    previewToken: env.CONTENTFUL_PREVIEW_TOKEN || undefined,
    imagesOrigin: originOf(env.CONTENTFUL_IMAGES || 'https://images.ctfassets.net'),
    webhookSecret: env.CONTENTFUL_WEBHOOK_SECRET ?? '',
    previewKey: env.CONTENTFUL_PREVIEW_KEY || undefined
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
