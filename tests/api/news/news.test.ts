import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signDelivery } from '#lib/server/news/adapters/contentful/signature.ts'
import { contentfulSource } from '#lib/server/news/adapters/contentful/source.ts'
import { fetchImage, newsCleanUp } from '#lib/server/news/images.ts'
import { newsAssets, newsEntries, newsImageFiles, newsImages, newsSync } from '#lib/server/news/schema.ts'
import { syncNews } from '#lib/server/news/sync.ts'
import { jobs } from '#lib/server/platform/db/schema.ts'
import { UnavailableError } from '#lib/server/platform/errors.ts'
import { type ContentfulServer, fixture, SECRET, startContentful } from '#support/contentfulServer.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const EVERY_NODE = '3xEveryNode00000000000'
const SCHEDULED = '4hScheduled00000000000'
const WEBHOOK = '/v1/news/webhook'
const DAY_MS = 86_400_000

let contentful: ContentfulServer
let test: TestApp
let customer: Customer
/** The adapter that reads this test's Contentful server. */
const source = () => {
  const { news } = test.app.ports
  if (!news) throw new Error('No space is configured')
  return news
}
const sync = () => syncNews(test.app.context, source())
const list = async (query = {}) => test.ask(customer, 'listNews', { query })
const titles = async () => (await list()).data.map(({ title }: { title: string }) => title)

beforeAll(async () => {
  contentful = await startContentful()
  test = await createTestApp({
    ports: (made) => ({
      ...made,
      news: contentfulSource(contentful.config, { clock: () => test.app.context.clock(), fetch: (url, init) => fetch(url, init) })
    })
  })
  customer = await test.customer()
})
afterAll(async () => {
  await test.close()
  await contentful.stop()
})

function delivery(body = '{"sys":{"type":"Entry"}}', at = test.app.context.clock(), secret = SECRET) {
  const headers = { 'x-contentful-topic': 'ContentManagement.Entry.publish', 'content-type': 'application/json' }
  return { body, headers: signDelivery(secret, { method: 'POST', path: WEBHOOK, body, headers }, at) }
}

/** Runs the waiting background jobs. */
const work = () => test.mailsTo(customer.email)

describe('the first synchronization', () => {
  it('copies every page, and asks with the token of the last one afterwards', async () => {
    await sync()
    expect(contentful.asked.filter((path) => path.includes('/sync'))).toHaveLength(2)
    expect(contentful.asked[0]).toContain('/spaces/wallet00news/environments/master/sync?initial=true')
    await sync()
    const asked = contentful.asked.filter((path) => path.includes('/sync')).at(-1)
    expect(asked).toContain('sync_token=FEnChMOBwr1Yw4TCqsK2LcKpCH3CjsORIyLDrGbDtgozw6xreMKCwpjCtlxATw3CswoUY34WecKKw7R9w6I')
  })

  it('shows entries newest first; one without a title, of another kind or of a later date is not among them', async () => {
    expect(await titles()).toEqual(['Every node', 'Only a title'])
    expect((await list()).total).toBe(2)
    expect((await list({ order_by: 'contentful_created_at asc', size: 1 })).data[0].title).toBe('Only a title')
    expect((await list({ page: 2, size: 1 })).data[0].title).toBe('Only a title')
    await expect(test.ask(customer, 'getNews', { params: { id: SCHEDULED } })).rejects.toMatchObject({
      failure: { statusCode: 404, code: 'news_not_found', message: 'News not found' }
    })
  })

  it('lets the first words stand in for a missing description, and shows no picture that is not there', async () => {
    const [, entry] = (await list()).data
    expect(entry.short_description).toMatch(/^The first words stand in for the description that is missing\. .*…$/)
    expect(entry.short_description.length).toBeLessThanOrEqual(181)
    expect(entry.thumbnail_banner).toBeNull()
  })

  it('leaves out what is unknown: a table, a line, marks, links of another kind', async () => {
    const entry = await test.ask(customer, 'getNews', { params: { id: EVERY_NODE } })
    const text = JSON.stringify(entry.raw_data.fields.mainContent)
    for (const gone of ['table', 'a cell', '"hr"', 'italic"}', 'javascript:', 'entry-hyperlink']) expect(text).not.toContain(gone)
    for (const kept of ['"bold"', 'another entry', 'a script', 'mailto:support@example.com', 'blockquote', 'heading-3'])
      expect(text).toContain(kept)
  })

  it('is for customers alone', async () => {
    expect((await test.send('GET', '/news/')).status).toBe(401)
    expect((await test.send('GET', '/news/', { token: customer.token })).body.data.data).toHaveLength(2)
    expect((await test.send('GET', `/news/${EVERY_NODE}`)).status).toBe(401)
  })
})

describe('pictures', () => {
  it('are fetched by the worker, made into sizes and formats, and never larger than they are', async () => {
    await work()
    const entry = await test.ask(customer, 'getNews', { params: { id: EVERY_NODE } })
    expect(entry.thumbnail_banner).toMatchObject({ title: 'A vault with a round door.', width: 1800, height: 1000 })
    expect(
      entry.thumbnail_banner.files.map(({ width, format }: { width: number; format: string }) => `${width} ${format}`)
    ).toEqual(['480 avif', '480 webp', '960 avif', '960 webp', '1600 avif', '1600 webp'])
    expect(Object.keys(entry.images)).toEqual(['6iVaultPicture00000000'])
    const file = entry.thumbnail_banner.files[2].url.split('/').at(-1)
    const image = await test.app.readImage(file)
    expect(image?.type).toBe('image/avif')
    expect(await sharp(image?.body).metadata()).toMatchObject({ format: 'heif', width: 960, height: 533 })
    expect(await test.app.readImage(file.replace('960', '961'))).toBeUndefined()
    expect(await test.app.readImage('../../etc/passwd')).toBeUndefined()
  })

  const broken: [string, () => Promise<{ bytes?: Uint8Array; url?: string }>, RegExp][] = [
    ['of another host', async () => ({ url: 'http://169.254.169.254/latest/meta-data' }), /another host/],
    ['of too many bytes', async () => ({ bytes: new Uint8Array(13 * 1024 * 1024) }), /more than 12582912 bytes/],
    [
      'of too many pixels',
      async () => ({
        bytes: await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'red' } })
          .png()
          .toBuffer()
      }),
      /pixel limit/
    ],
    [
      'that is a drawing',
      async () => ({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>') }),
      /type svg/
    ],
    ['that is none', async () => ({ bytes: Buffer.from('<html>') }), /cannot be read/]
  ]
  it.each(broken)('one %s is refused for good', async (name, made, why) => {
    const { bytes, url = `${contentful.config.url}/wallet00news/${encodeURIComponent(name)}.jpg` } = await made()
    if (bytes) contentful.next(/wallet00news/, { body: bytes })
    const { db, clock } = test.app.context
    await db.insert(newsImages).values({ url, state: 'waiting', createdAt: clock() })
    await fetchImage(test.app.context, source(), url)
    const [row] = await db.select().from(newsImages).where(eq(newsImages.url, url))
    expect(row).toMatchObject({ state: 'refused', reason: expect.stringMatching(why) })
  })

  it('a redirect is not followed, and a host that fails is asked again later', async () => {
    const { db, clock } = test.app.context
    const url = `${contentful.config.url}/wallet00news/moved.jpg`
    await db.insert(newsImages).values({ url, state: 'waiting', createdAt: clock() })
    contentful.next(/moved/, { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, { status: 503, body: '' })
    for (const _ of [1, 2]) await expect(fetchImage(test.app.context, source(), url)).rejects.toThrow(UnavailableError)
    await fetchImage(test.app.context, source(), url)
    expect((await db.select().from(newsImages).where(eq(newsImages.url, url)))[0]?.state).toBe('ready')
  })

  it('that nothing shows any more are removed after a week; those that are shown stay', async () => {
    const { db, clock } = test.app.context
    const sweepAfter = (passed: number) => {
      const now = new Date(clock().getTime() + passed * DAY_MS)
      return newsCleanUp(db, now, (days) => new Date(now.getTime() - days * DAY_MS))
    }
    const all = (await db.select().from(newsImages)).length
    await sweepAfter(8)
    expect(await db.select().from(newsImages)).toHaveLength(all)
    await sweepAfter(16)
    const left = await db.select().from(newsImages)
    expect(left.map(({ url }) => url.split('/').at(-1))).toEqual(['vault.jpg'])
    expect(await db.select({ width: newsImageFiles.width }).from(newsImageFiles)).toHaveLength(6)
  })

  it('whose tries are used up are asked for again, until a week has passed', async () => {
    const { db, clock } = test.app.context
    const [used] = await db.select().from(newsImages)
    const url = used?.url ?? ''
    await db.update(newsImages).set({ state: 'waiting', createdAt: clock() })
    const failed = { kind: 'news-image', payload: { url }, runAt: clock(), createdAt: clock(), failedAt: clock() }
    await db.insert(jobs).values(failed)
    const sweepAfter = (passed: number) => {
      const now = new Date(clock().getTime() + passed * DAY_MS)
      return newsCleanUp(db, now, (days) => new Date(now.getTime() - days * DAY_MS))
    }
    await sweepAfter(0)
    await sweepAfter(0)
    const waiting = await db.select().from(jobs).where(eq(jobs.kind, 'news-image'))
    expect(waiting.map(({ failedAt, payload }) => ({ failedAt, payload }))).toEqual([{ failedAt: null, payload: { url } }])
    await work()
    expect((await db.select().from(newsImages))[0]?.state).toBe('ready')
    await db.update(newsImages).set({ state: 'waiting' })
    await sweepAfter(8)
    expect((await db.select().from(newsImages))[0]?.state).toBe('refused')
    await db.update(newsImages).set({ state: 'ready' })
  })
})

describe('the webhook', () => {
  it('brings a change to the page: an entry is changed, another one gone', async () => {
    contentful.publish('delta')
    const { body, headers } = delivery()
    expect((await test.send('POST', '/news/webhook', { body, headers })).body.data).toEqual({ outcome: 'taken' })
    await work()
    expect(await titles()).toEqual(['A title and more'])
    await expect(test.ask(customer, 'getNews', { params: { id: EVERY_NODE } })).rejects.toMatchObject({
      failure: { statusCode: 404 }
    })
  })

  it('asks once more some seconds later, because the delivery API may lag behind', async () => {
    const before = contentful.asked.length
    await work()
    expect(contentful.asked).toHaveLength(before)
    test.pass(6)
    await work()
    expect(contentful.asked).toHaveLength(before + 1)
  })

  it('takes a delivery once, and many at a time with one synchronization', async () => {
    const { body, headers } = delivery('{"again":1}')
    expect((await test.send('POST', '/news/webhook', { body, headers })).body.data.outcome).toBe('taken')
    expect((await test.send('POST', '/news/webhook', { body, headers })).body.data.outcome).toBe('known')
    for (let each = 0; each < 5; each += 1) {
      const one = delivery(`{"each":${each}}`)
      await test.send('POST', '/news/webhook', one)
    }
    await work()
    const before = contentful.asked.length
    test.pass(6)
    await work()
    expect(contentful.asked.length - before).toBe(1)
  })

  const forged: [string, () => { body: string; headers: Record<string, string> }][] = [
    ['of another secret', () => delivery('{}', undefined, 'x'.repeat(64))],
    ['whose body was changed', () => ({ ...delivery('{"a":1}'), body: '{"a":2}' })],
    ['of six minutes ago', () => delivery('{}', new Date(test.app.context.clock().getTime() - 6 * 60_000))],
    ['of six minutes ahead', () => delivery('{}', new Date(test.app.context.clock().getTime() + 6 * 60_000))],
    [
      'whose timestamp was made new',
      () => {
        const old = delivery('{}', new Date(test.app.context.clock().getTime() - 6 * 60_000))
        return { ...old, headers: { ...old.headers, 'x-contentful-timestamp': String(test.app.context.clock().getTime()) } }
      }
    ],
    [
      'whose signed header was changed',
      () => {
        const { body, headers } = delivery('{}')
        return { body, headers: { ...headers, 'x-contentful-topic': 'ContentManagement.Entry.delete' } }
      }
    ],
    ['without a signature', () => ({ body: '{}', headers: { 'content-type': 'application/json' } })]
  ]
  it.each(forged)('refuses one %s', async (_, made) => {
    const { status, body } = await test.send('POST', '/news/webhook', made())
    expect(status).toBe(401)
    expect(body.code).toBe('signature_invalid')
  })

  it('takes no more than any other call: the body is not used', async () => {
    const { body, headers } = delivery(JSON.stringify({ text: 'x'.repeat(70_000) }))
    expect((await test.send('POST', '/news/webhook', { body, headers })).status).toBe(413)
  })

  it('leaves nothing behind where Contentful cannot be had: the sync of every minute asks again', async () => {
    test.pass(10)
    const before = contentful.asked.length
    contentful.next(/sync/, ...Array.from({ length: 20 }, () => ({ status: 503, body: '' })))
    for (let each = 0; each < 10; each += 1) await test.send('POST', '/news/webhook', delivery(`{"down":${each}}`))
    await work()
    test.pass(6)
    await work()
    expect(contentful.asked.length - before).toBeLessThanOrEqual(11)
    expect(await test.app.context.db.select().from(jobs).where(eq(jobs.kind, 'news-changed'))).toEqual([])
    contentful.forget()
  })
})

describe('when Contentful', () => {
  it('asks us to wait, we wait', async () => {
    contentful.next(/sync/, { status: 429, headers: { 'x-contentful-ratelimit-reset': '0.2' }, body: fixture('rateLimit') })
    await sync()
    expect(await titles()).toEqual(['A title and more'])
  })

  it('asks us to wait for long, the job comes again later', async () => {
    contentful.next(/sync/, { status: 429, headers: { 'x-contentful-ratelimit-reset': '30' }, body: fixture('rateLimit') })
    await expect(sync()).rejects.toThrow(UnavailableError)
  })

  it.each([
    ['is down', { status: 503, body: '<html>' }],
    ['answers nonsense', { body: '<html>maintenance</html>' }],
    ['answers without a next address', { body: '{"items":[]}' }]
  ])('%s, the page stands', async (_, answer) => {
    contentful.next(/sync/, answer)
    await expect(sync()).rejects.toThrow(UnavailableError)
    expect(await titles()).toEqual(['A title and more'])
  })

  it('does not take the token any more, all is copied again, and what is gone there is gone here', async () => {
    const { db } = test.app.context
    await db.insert(newsEntries).values({
      id: 'stale',
      title: 'Gone there',
      shortDescription: '',
      thumbnailId: null,
      mainContent: null,
      date: new Date('2026-01-01T00:00:00Z'),
      generation: 1
    })
    await db.insert(newsAssets).values({ id: 'stale', url: 'https://x', title: '', description: '', generation: 1 })
    await db.update(newsSync).set({ token: 'unknown' })
    await sync()
    expect((await titles()).toSorted()).toEqual(['Every node', 'Only a title'])
    expect(await db.select().from(newsAssets).where(eq(newsAssets.id, 'stale'))).toEqual([])
  })
})

describe('what the database cannot hold', () => {
  const text = (value: string) => ({ nodeType: 'text', data: {}, marks: [], value })
  const entry = (id: string, fields: object) => ({
    sys: { id, type: 'Entry', createdAt: '2026-10-01T08:00:00Z', contentType: { sys: { id: 'news' } } },
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { 'en-US': value }]))
  })
  const body = (...words: string[]) => ({
    nodeType: 'document',
    data: {},
    content: [{ nodeType: 'paragraph', data: {}, content: words.map(text) }]
  })

  it('is mended or left out, and keeps back nothing that comes after it', async () => {
    const odd = [
      entry('escaped', { title: 'Escaped', mainContent: body('NUL in JSON is \\u0000, and itself \u0000.') }),
      entry('surrogate', { title: 'Half \ud83d', mainContent: body('half \ud83d of a pair') }),
      entry('year', { title: 'Far away', date: '12025-01-01' }),
      entry('early', { title: 'Long ago', date: '0000-01-01T00:00Z' }),
      entry('thumbnail', {
        title: 'Long id',
        thumbnailBanner: { sys: { type: 'Link', linkType: 'Asset', id: 'x'.repeat(9000) } }
      }),
      { sys: { id: 'x'.repeat(65), type: 'Entry' } },
      'nonsense',
      entry('last', { title: 'After all of them' })
    ]
    const nextSyncUrl = `${contentful.config.url}/x?sync_token=${contentful.lastToken()}`
    contentful.next(/sync/, { body: JSON.stringify({ items: odd, nextSyncUrl }) })
    await sync()
    expect(await titles()).toEqual(
      expect.arrayContaining(['Escaped', 'Half \ufffd', 'Far away', 'Long ago', 'Long id', 'After all of them'])
    )
    const { raw_data } = await test.ask(customer, 'getNews', { params: { id: 'escaped' } })
    expect(JSON.stringify(raw_data)).toContain('NUL in JSON is \\\\u0000, and itself .')
    await test.app.context.db.delete(newsEntries).where(eq(newsEntries.date, new Date('2026-10-01T08:00:00Z')))
  })
})

it('a token that is refused again and again is asked with once a run', async () => {
  const page = fixture('initial1')
  const refused = { status: 400, body: fixture('badToken') }
  await test.app.context.db.update(newsSync).set({ token: 'unknown' })
  const before = contentful.asked.length
  contentful.next(/sync/, refused, { body: page }, refused)
  await expect(sync()).rejects.toThrow(UnavailableError)
  expect(contentful.asked.length - before).toBe(3)
  await sync()
})

it('two synchronizations at a time copy everything once', async () => {
  await test.app.context.db.update(newsSync).set({ token: null, isInitial: true })
  await Promise.all([sync(), sync(), sync()])
  expect((await titles()).toSorted()).toEqual(['Every node', 'Only a title'])
})

it('an entry of a later date appears at its time', async () => {
  test.pass(11 * 86_400)
  expect((await titles())[0]).toBe('Later')
  expect((await list()).total).toBe(3)
})

describe('a preview', () => {
  const open = (id: string, key: string) => test.send('POST', '/news/preview', { body: { id, key } })
  const read = (path: string) => test.send('POST', '/news/preview/read', { body: { token: path.split('/').at(-1) } })
  let path: string
  beforeEach(async () => {
    path = (await open('8dDraft000000000000000', contentful.config.previewKey ?? '')).body.data.path
  })
  afterEach(() => contentful.asked.splice(0))

  it('opens with the key of the editors alone', async () => {
    expect((await open('8dDraft000000000000000', 'guessed')).body.code).toBe('link_invalid')
    expect(path).toMatch(/^\/news-preview\/[\w.-]+$/)
  })

  it('shows the draft to everybody who has the link, and says what it lacks', async () => {
    const { body } = await read(path)
    expect(body.data).toMatchObject({ title: 'A draft', short_description: 'Not yet published.', missing: ['short_description'] })
    expect(body.data.thumbnail_banner).toMatchObject({ width: 1800 })
    expect(contentful.asked.at(-1)).toContain('/entries?sys.id=8dDraft000000000000000')
  })

  it('ends after an hour, and nobody can make another one of it', async () => {
    const [id = '', ends = '', signature = ''] = path.split('/').at(-1)?.split('.') ?? []
    expect((await read(`${id}.${Number(ends) + 60}.${signature}`)).body.code).toBe('link_invalid')
    expect((await read(`${Buffer.from('other').toString('base64url')}.${ends}.${signature}`)).body.code).toBe('link_invalid')
    test.pass(3601)
    expect((await read(path)).body.code).toBe('link_invalid')
  })

  it('of a draft that is gone says so; while Contentful is down it says to try later', async () => {
    contentful.next(/entries/, { body: '{"items":[]}' }, { status: 500, body: '' })
    expect((await read(path)).body.code).toBe('news_not_found')
    expect((await read(path)).status).toBe(503)
  })
})
