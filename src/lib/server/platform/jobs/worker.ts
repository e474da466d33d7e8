/** Runs the jobs that this process may take: at once if it added the job itself, within a second if another process did. */
import type { Context } from '../context.ts'
import { outsideRequests } from '../outsideRequests.ts'
import { inSpan } from '../tracing.ts'
import { insertJobs } from './insert.ts'
import { type JobKind, triesOf } from './kinds.ts'
import { asJob, type ClaimedJob, claimJob, failJob, finishJob, LEASE_SECONDS, renewLease } from './take.ts'

const POLL_MS = 1000
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** How many jobs run at the same time; at most one of them is slow. */
const LANES = 4

export type Worker = {
  wake: () => void
  /** Runs what is due, and waits until this process has nothing left to do. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

/** `recurring`: false for tests that run recurring jobs by hand. */
export async function startWorker(context: Context, kinds: JobKind[], { recurring = true } = {}): Promise<Worker> {
  const byName = new Map(kinds.filter((kind) => recurring || kind.everySeconds === undefined).map((kind) => [kind.name, kind]))
  const names = [...byName.keys()]
  const quickNames = names.filter((name) => !byName.get(name)?.isSlow)
  const lanes = new Set<Promise<void>>()
  let stopped = false
  let again = false
  /** True while a lane runs a slow job or may claim one. */
  let isSlotTaken = false

  for (const kind of byName.values()) {
    if (kind.everySeconds !== undefined)
      await insertJobs(context.db, [{ kind: kind.name, payload: {}, key: kind.name }], context.clock())
  }

  async function runNext(): Promise<boolean> {
    let hasSlot = !isSlotTaken
    isSlotTaken = true
    const giveSlotBack = () => {
      if (hasSlot) isSlotTaken = false
      hasSlot = false
    }
    try {
      const job = await claimJob(context, hasSlot ? names : quickNames)
      const kind = job && byName.get(job.kind)
      if (!job || !kind) return false
      if (!kind.isSlow) giveSlotBack()
      await runJob(kind, job)
      return true
    } finally {
      giveSlotBack()
    }
  }

  async function runJob(kind: JobKind, job: ClaimedJob): Promise<void> {
    if (job.tries > triesOf(kind)) return failJob(context, kind, job, new Error('Its process died with every try'))
    const renewing = setInterval(() => {
      renewLease(context, job).catch((error: unknown) => context.log.warn({ err: error }, 'lease not renewed'))
    }, RENEW_MS)
    try {
      await inSpan(`job ${kind.name}`, () => asJob(job, () => kind.run(job.payload, job)), { root: true })
      await finishJob(context, kind, job)
    } catch (error) {
      await failJob(context, kind, job, error)
    } finally {
      clearInterval(renewing)
    }
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
    const running: Promise<void> = outsideRequests(lane).finally(() => lanes.delete(running))
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
