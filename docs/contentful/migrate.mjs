/**
 * Prepares a Contentful space for the news: the content type `news` (model.json), and, where WALLET_URL is set, the webhook with its
 * signing secret. May run again: it then updates what is there. Needs Node 20 and nothing else.
 *
 *   CONTENTFUL_SPACE=… CONTENTFUL_MANAGEMENT_TOKEN=… [WALLET_URL=https://wallet.example CONTENTFUL_WEBHOOK_SECRET=…] \
 *     node docs/contentful/migrate.mjs
 *
 * Source: Contentful's reference of its Content Management API (content types, webhooks, webhook security).
 */
import { readFileSync } from 'node:fs'

const { env } = process
const {
  CONTENTFUL_SPACE: space,
  CONTENTFUL_ENVIRONMENT: environment = 'master',
  CONTENTFUL_MANAGEMENT_TOKEN: token,
  CONTENTFUL_MANAGEMENT_URL: api = 'https://api.contentful.com',
  CONTENTFUL_WEBHOOK_SECRET: secret,
  WALLET_URL: wallet
} = env
const WEBHOOK_ID = 'cp-wallet-news'
const TOPICS = ['Entry.publish', 'Entry.unpublish', 'Entry.delete', 'Asset.publish', 'Asset.unpublish', 'Asset.delete']

function refuse(why) {
  console.error(why)
  process.exit(1)
}

if (!space || !token) refuse('CONTENTFUL_SPACE and CONTENTFUL_MANAGEMENT_TOKEN are needed.')
if (wallet && !/^[\w+/=-]{64}$/.test(secret ?? ''))
  refuse('With WALLET_URL, CONTENTFUL_WEBHOOK_SECRET must have 64 characters: letters, digits and + / = _ -')

async function call(method, path, { body, version } = {}) {
  const response = await fetch(new URL(path, api), {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/vnd.contentful.management.v1+json',
      ...(version !== undefined && { 'X-Contentful-Version': String(version) })
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  if (method === 'GET' && response.status === 404) return undefined
  const answer = await response.json()
  if (!response.ok) refuse(`${method} ${path} was answered with ${response.status}: ${answer.message ?? answer.sys?.id}`)
  return answer
}

const { id, ...model } = JSON.parse(readFileSync(new URL('model.json', import.meta.url), 'utf8'))
const type = `/spaces/${space}/environments/${environment}/content_types/${id}`
const known = await call('GET', type)
const written = await call('PUT', type, { body: model, version: known?.sys.version })
await call('PUT', `${type}/published`, { version: written.sys.version })
console.log(`${known ? 'Updated' : 'Made'} the content type ${id}`)

if (wallet) {
  const hook = `/spaces/${space}/webhook_definitions/${WEBHOOK_ID}`
  const before = await call('GET', hook)
  await call('PUT', hook, {
    version: before?.sys.version,
    body: {
      name: 'CP Wallet',
      url: new URL('/v1/news/webhook', wallet).href,
      topics: TOPICS,
      filters: [{ equals: [{ doc: 'sys.environment.sys.id' }, environment] }],
      headers: [],
      // Only that something changed: the whole entry may be larger than we take.
      transformation: { contentType: 'application/json; charset=utf-8', body: { id: '{ /payload/sys/id }' } }
    }
  })
  await call('PUT', `/spaces/${space}/webhook_settings/signing_secret`, { body: { value: secret } })
  console.log(`${before ? 'Updated' : 'Made'} the webhook to ${wallet}, signed`)
}
