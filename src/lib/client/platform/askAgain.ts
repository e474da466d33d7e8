/** After a call that may have been carried out or not: asks again with the same key, under which it counts once. */
import { texts } from '#messages/platform/texts.ts'
import { CallError } from './failure.ts'
import { HttpError } from './sendJson.ts'
import { notify } from './toasts.ts'

/** Half a minute in all: by then another server has taken over from one that died. */
const WAITS_MS = [1000, 2000, 4000, 8000, 8000, 8000]
/** Failures that do not say what became of the call. */
const UNKNOWN: CallError['code'][] = ['unreachable', 'unreadable', 'outcome_unknown']
/** Answers after which the outcome is as unknown as before. */
const SAYS_NOTHING: CallError['code'][] = [
  'unreachable',
  'unreadable',
  'outcome_unknown',
  'unavailable',
  'too_many_requests',
  'internal'
]

const saysNothing = (error: unknown) => error instanceof CallError && (SAYS_NOTHING.includes(error.code) || isOfProxy(error))

/** A proxy's failure in the form of an API's, without a code of ours. */
const isOfProxy = ({ code, cause }: CallError) => code === 'unnamed' && cause instanceof HttpError && cause.status >= 500

/** True if a call may have been carried out although it has failed. */
export function isUnknown(error: unknown): boolean {
  return error instanceof CallError && (UNKNOWN.includes(error.code) || isOfProxy(error))
}

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
