/** After a call that may have been carried out or not: asks again with the same key, under which it counts once. */
import { unknownTexts as texts } from '#messages/platform/unknown.ts'
import { CallError } from './failure.ts'
import { HttpError } from './sendJson.ts'
import { readStoredSession } from './session.ts'
import { notify } from './toasts.ts'

/** Half a minute in all: by then another server has taken over from one that died. */
const WAITS_MS = [1000, 2000, 4000, 8000, 8000, 8000]
/** Failures that do not say what became of the call. */
const UNKNOWN: CallError['code'][] = ['unreachable', 'unreadable', 'outcome_unknown']
/** Answers to a repeat that do not come from where its key is looked up: the outcome is as unknown as before. */
const BEFORE_THE_KEY: CallError['code'][] = [
  'offline',
  'unavailable',
  'internal',
  'too_many_requests',
  'unauthorized',
  'confirmation_required',
  'account_locked'
]

/** True if this answer to a repeat decides nothing about the first one. */
export const saysNothing = (error: unknown) =>
  error instanceof CallError && (isUnknown(error) || BEFORE_THE_KEY.includes(error.code))

/** A proxy's failure in the form of an API's, without a code of ours. */
const isOfProxy = ({ code, cause }: CallError) => code === 'unnamed' && cause instanceof HttpError && cause.status >= 500

/** True if a call may have been carried out although it has failed. */
function isUnknown(error: unknown): boolean {
  return error instanceof CallError && (UNKNOWN.includes(error.code) || isOfProxy(error))
}

/**
 * Makes a call that has a key. Where its outcome is unknown, tells the customer and makes it again, for half a minute. Resolves to its answer. Throws
 * its refusal, or `outcome_unknown` if there was none in time.
 */
export async function untilKnown<T>(ask: () => Promise<T>): Promise<T> {
  const asker = readStoredSession()?.user.userUid
  try {
    return await ask()
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  notify('info', texts.askingAgain)
  for (const wait of WAITS_MS) {
    await new Promise((resume) => setTimeout(resume, wait))
    // Another tab has signed somebody else in.
    if (readStoredSession()?.user.userUid !== asker) break
    try {
      const answer = await ask()
      // Undefined: a repeat that the customer did not prove themselves for.
      if (answer !== undefined) return answer
    } catch (error) {
      if (!saysNothing(error)) throw error
    }
  }
  throw new CallError({ code: 'outcome_unknown', message: texts.stillUnknown })
}
