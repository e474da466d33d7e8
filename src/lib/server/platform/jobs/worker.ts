/** Runs the jobs that this process may take: at once when it wrote one itself, within a second when another one did. */
import type { Context } from '../context.ts'
import { insertJobs } from './insert.ts'
import { type JobKind, triesOf } from './kinds.ts'
import { failJob, finishJob, LEASE_SECONDS, renewLease, takeJob } from './take.ts'

const POLL_MS = 1000
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** Slow jobs do not keep mails waiting. */
const LANES = 4

export type Worker = {
  wake: () => void
  /** Runs what is due, and waits until this process has nothing left to do. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

/** `recurring`: whether recurring jobs are started; a test may want to run them by hand. */
export async function startWorker(context: Context, kinds: JobKind[], { recurring = true } = {}): Promise<Worker> {
  const byName = new Map(kinds.filter((kind) => recurring || kind.everySeconds === undefined).map((kind) => [kind.name, kind]))
  const names = [...byName.keys()]
  const lanes = new Set<Promise<void>>()
  let stopped = false
  let again = false

  for (const kind of byName.values()) {
    if (kind.everySeconds !== undefined)
      await insertJobs(context.db, [{ kind: kind.name, payload: {}, key: kind.name }], context.clock())
  }

  async function runNext(): Promise<boolean> {
    const job = await takeJob(context, names)
    const kind = job && byName.get(job.kind)
    if (!job || !kind) return false
    if (job.tries > triesOf(kind)) {
      await failJob(context, kind, job, new Error('Its process died with every try'))
      return true
    }
    const renewing = setInterval(() => {
      renewLease(context, job).catch((error: unknown) => context.log.warn({ err: error }, 'lease not renewed'))
    }, RENEW_MS)
    try {
      await kind.run(job.payload, job)
      await finishJob(context, kind, job)
    } catch (error) {
      await failJob(context, kind, job, error)
    } finally {
      clearInterval(renewing)
    }
    return true
  }

  async function lane(): Promise<void> {
    try {
      do {
        again = false
        while (!stopped && (await runNext()));
      } while (again && !stopped)
    } catch (error) {
      context.log.error({ err: error }, 'jobs not run')
    }
  }

  function wake(): void {
    again = true
    if (stopped || names.length === 0 || lanes.size >= LANES) return
    const running: Promise<void> = lane().finally(() => lanes.delete(running))
    lanes.add(running)
  }

  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  wake()
  return {
    wake,
    flush: async () => {
      wake()
      while (lanes.size > 0) await Promise.all(lanes)
    },
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await Promise.all(lanes)
    }
  }
}
