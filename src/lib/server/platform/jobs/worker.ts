/** Runs the jobs that this process may take: at once if it added the job itself, within a second if another process did. */
import type { Context } from '../context.ts'
import { outsideRequests } from '../outsideRequests.ts'
import { inSpan } from '../tracing.ts'
import { insertJobs } from './insert.ts'
import { type JobKind, MOST_AT_ONCE, type SharedLanes, triesOf } from './kinds.ts'
import { asJob, type ClaimedJob, claimJob, failJob, finishJob, LEASE_SECONDS, renewLease } from './take.ts'

const POLL_MS = 1000
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** How many jobs run at the same time. */
const LANES = 5
const SORTS = Object.keys(MOST_AT_ONCE) as SharedLanes[]

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
  const lanes = new Set<Promise<void>>()
  let stopped = false
  let again = false
  /** How many lanes run a job of this sort, or may claim one. */
  const taken = new Map<SharedLanes, number>()
  const count = (sort: SharedLanes, change: 1 | -1) => taken.set(sort, (taken.get(sort) ?? 0) + change)

  for (const kind of byName.values()) {
    if (kind.everySeconds !== undefined)
      await insertJobs(context.db, [{ kind: kind.name, payload: {}, key: kind.name }], context.clock())
  }

  async function runNext(): Promise<boolean> {
    // Of each sort that has a place left, one is kept until it is known what the job is.
    const kept = new Set(SORTS.filter((sort) => (taken.get(sort) ?? 0) < MOST_AT_ONCE[sort]))
    for (const sort of kept) count(sort, 1)
    const giveBack = (sorts: SharedLanes[]) => {
      for (const sort of sorts) if (kept.delete(sort)) count(sort, -1)
    }
    const mayRun = ({ lanes: sort }: JobKind) => sort === undefined || kept.has(sort)
    try {
      const job = await claimJob(
        context,
        [...byName.values()].filter(mayRun).map(({ name }) => name)
      )
      const kind = job && byName.get(job.kind)
      if (!job || !kind) return false
      giveBack(SORTS.filter((sort) => sort !== kind.lanes))
      await runJob(kind, job)
      return true
    } finally {
      giveBack(SORTS)
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
