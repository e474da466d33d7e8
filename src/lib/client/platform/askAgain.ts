/** After a call that may have been carried out or not: asks again with the same key, under which it counts once. */
import { texts } from '#messages/platform/texts.ts'
import { CallError } from './failure.ts'
import { notify } from './toasts.ts'

/** Half a minute in all: by then another server has taken over from one that died. */
const WAITS_MS = [1000, 2000, 4000, 8000, 8000, 8000]
/** Answers after which the outcome is as unknown as before. */
const SAYS_NOTHING: CallError['code'][] = [
  'unreachable',
  'unreadable',
  'outcome_unknown',
  'unavailable',
  'too_many_requests',
  'internal'
]

const saysNothing = (error: unknown) => error instanceof CallError && SAYS_NOTHING.includes(error.code)

/** Resolves to the call's answer, or throws its refusal; `outcome_unknown` if none comes in time. The customer is told at once. */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  notify('info', texts.askingAgain)
  for (const wait of WAITS_MS) {
    await new Promise((resume) => setTimeout(resume, wait))
    try {
      return await ask()
    } catch (error) {
      if (!saysNothing(error)) throw error
    }
  }
  throw new CallError({ code: 'outcome_unknown', message: texts.stillUnknown })
}
