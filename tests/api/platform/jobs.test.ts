import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { asc, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStatus } from '#lib/server/app/status.ts'
import { againJob } from '#lib/server/notices/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { jobs } from '#lib/server/platform/db/schema.ts'
import { insertJobs } from '#lib/server/platform/jobs/insert.ts'
import type { JobKind } from '#lib/server/platform/jobs/kinds.ts'
import { jobTroubles, retryJob } from '#lib/server/platform/jobs/read.ts'
import { claimJob, finishJob } from '#lib/server/platform/jobs/take.ts'
import { startWorker, type Worker } from '#lib/server/platform/jobs/worker.ts'
import { mailTo } from '#lib/server/platform/mail/job.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let workers: Worker[]
beforeEach(async () => {
  // Its own worker would take these jobs too.
  test = await createTestApp({ env: { ROLE: 'web' } })
  workers = []
})
afterEach(async () => {
  for (const worker of workers) await worker.stop()
  await test.close()
})

const rows = () => test.app.context.db.select().from(jobs).orderBy(asc(jobs.id))
const now = () => test.app.context.clock()
const write = (kind: string, payload: object = {}, more: { key?: string; runAt?: Date } = {}) =>
  insertJobs(test.app.context.db, [{ kind, payload, ...more }], now())
async function work(...kinds: JobKind[]): Promise<Worker> {
  const worker = await startWorker(test.app.context, kinds)
  workers.push(worker)
  return worker
}
const kind = (run: JobKind['run'], more: Partial<JobKind> = {}): JobKind => ({ name: 'test', role: 'worker', run, ...more })

describe('a mail', () => {
  it('leaves lanes to other jobs while the mail server is silent', async () => {
    const held = Promise.withResolvers<void>()
    const sent: unknown[] = []
    const mail = kind(
      async (payload) => {
        await held.promise
        sent.push(payload)
      },
      { name: 'mail', lanes: 'mail' }
    )
    for (let n = 0; n < 6; n += 1) await write('mail', { n })
    for (let n = 0; n < 3; n += 1) await write('test', { n })
    const quick: unknown[] = []
    const worker = await work(
      mail,
      kind(async (payload) => void quick.push(payload))
    )
    // Each call opens another lane.
    for (let n = 0; n < 4; n += 1) worker.wake()
    await expect
      .poll(() => quick.length, { timeout: 10_000 })
      .toBe(3)
      .finally(held.resolve)
    await worker.flush()
    expect([sent.length, await rows()]).toEqual([6, []])
  })

  it.each([
    ['weekly', 'bulk_mail'],
    ['stakingRewarded', 'bulk_mail'],
    ['signInCode', 'mail']
  ] as const)('%s is a job of the kind %s', (name, kind) => {
    expect(mailTo({ email: 'a@example.com', locale: 'en' }, name, {} as never).kind).toBe(kind)
  })

  it('to one customer waits for none of those that many get at once', async () => {
    const [bulk, code] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const began: string[] = []
    const as = (name: string, lanes: 'bulk' | 'mail', end: Promise<void>) =>
      kind(
        async () => {
          began.push(name)
          await end
        },
        { name, lanes }
      )
    for (let n = 0; n < 6; n += 1) await write('bulk_mail', { n })
    const worker = await work(as('bulk_mail', 'bulk', bulk.promise), as('mail', 'mail', code.promise))
    for (let n = 0; n < 5; n += 1) worker.wake()
    await expect.poll(() => began).toEqual(['bulk_mail'])
    await write('mail')
    worker.wake()
    await expect.poll(() => began).toEqual(['bulk_mail', 'mail'])
    code.resolve()
    bulk.resolve()
    await worker.flush()
    expect([began.length, await rows()]).toEqual([7, []])
  })

  it('to one customer goes before those that many get at once, although it is due later', async () => {
    const { context } = test.app
    for (let n = 0; n < 3; n += 1) await write('bulk_mail', { n }, { runAt: new Date(now().getTime() - 60_000) })
    await write('mail')
    const claimed: (string | undefined)[] = []
    for (let n = 0; n < 3; n += 1) claimed.push((await claimJob(context, ['bulk_mail', 'mail']))?.kind)
    claimed.push((await claimJob(context, ['mail']))?.kind)
    expect(claimed).toEqual(['mail', 'bulk_mail', 'bulk_mail', undefined])
    await context.db.delete(jobs)
  })

  it('that many get at once may wait for hours before anybody is told, and for a day before operators are', async () => {
    const { context } = test.app
    const ago = (seconds: number) => ({ runAt: new Date(now().getTime() - seconds * 1000) })
    const told = async (expected: string) => {
      const status = createStatus(context, { current: async () => undefined } as never)
      status()
      await new Promise((resume) => setTimeout(resume, 100))
      await expect.poll(status).toBe(expected)
      return (await jobTroubles(context.db, now())).mailSeconds
    }
    await write('bulk_mail', {}, ago(3 * 3600))
    expect(await told('works')).toBe(0n)
    await write('bulk_mail', {}, ago(25 * 3600))
    expect(await told('works')).toBe(3600n)
    await write('mail', {}, ago(2 * 3600))
    expect(await told('delayed')).toBe(7200n)
    await context.db.delete(jobs)
  })

  it('that has failed for good is not tried again: what it said is no longer kept', async () => {
    const { context } = test.app
    for (const kind of ['bulk_mail', 'mail', 'receipt']) await write(kind)
    const failed = await context.db.update(jobs).set({ failedAt: now() }).returning({ id: jobs.id })
    const retried = await transact(context, async (work) => {
      const done: boolean[] = []
      for (const { id } of failed) done.push(await retryJob(work, id))
      return done
    })
    expect(retried).toEqual([false, false, true])
    await context.db.delete(jobs)
  })

  it('that somebody asked for again goes before those that many get at once', async () => {
    const { context } = test.app
    const id = randomUUID()
    await context.db.execute(sql`insert into users (id, email, password_hash, phone, referral_code, created_at, updated_at) values
      (${id}, 'again@example.com', 'x', '+43 660 1234567', 'AGAIN123', now(), now())`)
    const [notice] = rowsOf<{ id: string }>(
      await context.db.execute(sql`insert into notices (job_id, user_id, name, params, created_at)
        values (1, ${id}, 'statementReady', '{"period": "2026-Q3"}', now()) returning id::text`)
    )
    await againJob(context).run({ notice: notice?.id }, { id: 1n, createdAt: now() })
    expect((await rows()).map(({ kind }) => kind)).toEqual(['mail'])
    await context.db.delete(jobs)
  })
})

describe('a slow job', () => {
  it('runs alone of its sort, and never keeps a quick one waiting', async () => {
    let [running, most] = [0, 0]
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow = kind(
      async () => {
        running += 1
        most = Math.max(most, running)
        await held
        running -= 1
      },
      { name: 'slow', lanes: 'slow' }
    )
    for (let n = 0; n < 6; n += 1) await write('slow', { n })
    for (let n = 0; n < 3; n += 1) await write('test', { n })
    const quick: unknown[] = []
    const worker = await work(
      slow,
      kind(async (payload) => void quick.push(payload))
    )
    worker.wake()
    await expect.poll(() => quick.length).toBe(3)
    expect(running).toBe(1)
    end()
    await worker.flush()
    expect(most).toBe(1)
    expect(await rows()).toEqual([])
  })
})

describe('a job', () => {
  it('belongs to no request, though one woke the worker', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const worker = await work(kind(async () => void seen.push(request.getStore())))
    await worker.flush()
    await write('test')
    await request.run('a call', () => worker.flush())
    expect(seen).toEqual([undefined])
  })

  it('runs once, however many workers there are, and is forgotten', async () => {
    const seen: unknown[] = []
    for (let n = 0; n < 20; n += 1) await write('test', { n })
    const of = kind(async (payload) => void seen.push(payload))
    const all = await Promise.all([work(of), work(of), work(of)])
    await Promise.all(all.map((worker) => worker.flush()))
    expect(seen).toHaveLength(20)
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(20)
    expect(await rows()).toEqual([])
  })

  it('that fails is tried again with growing waits, and at last stays with its error', async () => {
    const tried: number[] = []
    await write('test', { secret: 'x', to: 'ada' })
    const failing = kind(
      async () => {
        tried.push(now().getTime())
        throw new Error('the other side is away')
      },
      { tries: 3, keptPayload: () => ({ to: 'ada' }) }
    )
    const worker = await work(failing)
    for (let round = 0; round < 6; round += 1) {
      await worker.flush()
      test.pass(41)
    }
    expect(tried).toHaveLength(3)
    const [failed] = await rows()
    expect(failed).toMatchObject({ tries: 3, lastError: 'the other side is away', payload: { to: 'ada' } })
    expect(failed?.failedAt).not.toBeNull()
  })

  it('of a killed process is taken over after its lease, and the dead one may not finish it', async () => {
    await write('test')
    const dead = await claimJob(test.app.context, ['test'])
    expect(await claimJob(test.app.context, ['test'])).toBeUndefined()
    test.pass(11)
    const heir = await claimJob(test.app.context, ['test'])
    expect(heir?.id).toBe(dead?.id)
    const of = kind(async () => undefined)
    if (dead) await finishJob(test.app.context, of, dead)
    expect(await rows()).toHaveLength(1)
    if (heir) await finishJob(test.app.context, of, heir)
    expect(await rows()).toEqual([])
  })

  it('that kills its process every time is given up in the end', async () => {
    await write('test')
    for (let death = 0; death < 12; death += 1) {
      expect(await claimJob(test.app.context, ['test'])).toMatchObject({ tries: death + 1 })
      test.pass(11)
    }
    const worker = await work(kind(async () => Promise.reject(new Error('again'))))
    await worker.flush()
    expect((await rows())[0]?.failedAt).not.toBeNull()
  })

  it('is left to a worker that knows its kind', async () => {
    await write('unknown')
    const worker = await work(kind(async () => undefined))
    await worker.flush()
    expect(await rows()).toHaveLength(1)
  })

  it('of a key waits once', async () => {
    await write('test', { n: 1 }, { key: 'only' })
    await write('test', { n: 2 }, { key: 'only' })
    expect((await rows()).map(({ payload }) => payload)).toEqual([{ n: 1 }])
  })
})

describe('a recurring job', () => {
  it('comes back after its time, whether it failed or not', async () => {
    let runs = 0
    const recurring = kind(
      async () => {
        runs += 1
        if (runs === 2) throw new Error('once')
      },
      { everySeconds: 60 }
    )
    const worker = await work(recurring)
    await worker.flush()
    await worker.flush()
    expect(runs).toBe(1)
    for (const expected of [2, 3, 4]) {
      test.pass(61)
      await worker.flush()
      expect(runs).toBe(expected)
    }
    expect(await rows()).toHaveLength(1)
  })
})

describe('a transaction', () => {
  it('that fails leaves no job behind', async () => {
    const { transact } = await import('#lib/server/platform/transaction.ts')
    await expect(
      transact(test.app.context, async ({ enqueue }) => {
        await enqueue({ kind: 'test', payload: {} })
        throw new Error('changed my mind')
      })
    ).rejects.toThrow('changed my mind')
    expect(await rows()).toEqual([])
  })
})
