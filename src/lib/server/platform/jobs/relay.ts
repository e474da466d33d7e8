/** Sends the outbox whenever something was written into it, and now and then what another process left. */
import type { Context } from '../context.ts'
import { deliverNext } from './deliver.ts'

const POLL_MS = 5000

export type Relay = {
  wake: () => void
  /** Sends what is due and waits until this process has sent all that it took. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

export function startRelay(context: Context): Relay {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    do {
      again = false
      try {
        while (!stopped && (await deliverNext(context)));
      } catch (error) {
        context.log.error({ err: error }, 'outbox not delivered')
      }
    } while (again && !stopped)
  }
  function wake(): void {
    again = true
    if (stopped) return
    running ??= run().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  return {
    wake,
    flush: async () => {
      wake()
      await running
    },
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await running
    }
  }
}
