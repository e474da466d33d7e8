/** The script that prepares a Contentful space, against a fake management API that keeps versions like the real one. */
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { cleanRichText } from '#lib/domain/news/richText.ts'

type Field = { id: string; validations: { enabledNodeTypes?: string[]; enabledMarks?: string[] }[] }
type Kept = { sys: { version: number; publishedVersion?: number }; fields?: Field[]; url?: string; value?: string }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of req) text += part
  return text
}

async function startSpace() {
  const kept = new Map<string, Kept>()
  const server = createServer(async (req, res) => {
    const answer = (status: number, body: object) => res.writeHead(status).end(JSON.stringify(body))
    const path = req.url ?? ''
    if (req.headers.authorization !== 'Bearer management') return answer(401, { message: 'The access token is invalid.' })
    const published = path.endsWith('/published')
    const key = path.replace(/\/published$/, '')
    const known = kept.get(key)
    if (req.method === 'GET') return known ? answer(200, known) : answer(404, { sys: { id: 'NotFound' } })
    const version = Number(req.headers['x-contentful-version'] ?? 0)
    const isVersioned = !path.includes('signing_secret')
    if (isVersioned && version !== (known?.sys.version ?? 0)) return answer(409, { sys: { id: 'VersionMismatch' } })
    const sys = { version: version + 1, ...(published && { publishedVersion: version }) }
    const body: object = published ? (known ?? {}) : JSON.parse(await bodyOf(req))
    kept.set(key, { ...body, sys })
    return answer(known ? 200 : 201, { ...body, sys })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  cleanups.push(() => server.close())
  return { kept, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const SECRET = 'a'.repeat(64)
const run = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['docs/contentful/migrate.mjs'], { env: { PATH: process.env.PATH ?? '', ...env } })

it('makes the content type, publishes it, and sets the signed webhook; a second run updates them', async () => {
  const { kept, url } = await startSpace()
  const env = {
    CONTENTFUL_SPACE: 'fresh',
    CONTENTFUL_MANAGEMENT_TOKEN: 'management',
    CONTENTFUL_MANAGEMENT_URL: url,
    WALLET_URL: 'https://wallet.example',
    CONTENTFUL_WEBHOOK_SECRET: SECRET
  }
  expect((await run(env)).stdout).toBe('Made the content type news\nMade the webhook to https://wallet.example, signed\n')
  expect((await run(env)).stdout).toBe('Updated the content type news\nUpdated the webhook to https://wallet.example, signed\n')
  const type = kept.get('/spaces/fresh/environments/master/content_types/news')
  expect(type).toMatchObject({ displayField: 'title', sys: { publishedVersion: 3 } })
  expect(type?.fields?.map(({ id }) => id)).toEqual(['title', 'shortDescription', 'thumbnailBanner', 'mainContent', 'date'])
  expect(kept.get('/spaces/fresh/webhook_definitions/cp-wallet-news')).toMatchObject({
    url: 'https://wallet.example/v1/news/webhook',
    transformation: { body: { id: '{ /payload/sys/id }' } },
    topics: expect.arrayContaining(['Entry.publish', 'Entry.unpublish', 'Entry.delete'])
  })
  expect(kept.get('/spaces/fresh/webhook_settings/signing_secret')).toMatchObject({ value: SECRET })
})

it('allows in the text only what the page shows', async () => {
  const { kept, url } = await startSpace()
  await run({ CONTENTFUL_SPACE: 'fresh', CONTENTFUL_MANAGEMENT_TOKEN: 'management', CONTENTFUL_MANAGEMENT_URL: url })
  const type = kept.get('/spaces/fresh/environments/master/content_types/news')
  const rules = type?.fields?.find(({ id }) => id === 'mainContent')?.validations ?? []
  const nodes = rules.flatMap(({ enabledNodeTypes = [] }) => enabledNodeTypes)
  const target = { sys: { type: 'Link', linkType: 'Asset', id: 'x' } }
  for (const nodeType of nodes) {
    const content = [{ nodeType, data: { uri: 'https://example.com', target }, content: [] }]
    expect(cleanRichText({ nodeType: 'document', data: {}, content }).leftOut, nodeType).toEqual([])
  }
  expect(rules.flatMap(({ enabledMarks = [] }) => enabledMarks)).toEqual(['bold'])
})

it('says what is missing, and what the space answered', async () => {
  const { url } = await startSpace()
  await expect(run({})).rejects.toMatchObject({ stderr: expect.stringContaining('are needed') })
  const env = { CONTENTFUL_SPACE: 'fresh', CONTENTFUL_MANAGEMENT_TOKEN: 'wrong', CONTENTFUL_MANAGEMENT_URL: url }
  await expect(run(env)).rejects.toMatchObject({ stderr: expect.stringContaining('The access token is invalid.') })
  await expect(run({ ...env, WALLET_URL: 'https://wallet.example' })).rejects.toMatchObject({
    stderr: expect.stringContaining('64 characters')
  })
})
