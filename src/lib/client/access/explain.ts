/** Shows the customer why a form's call failed. */

import { waitForCode } from '#messages/access/signIn.ts'
import { fieldSentences } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/toasts.ts'

/** Returns the sentences to show at the fields. A failure that names no field is shown as a notice instead. */
export function explain(error: unknown, fallback?: string): Record<string, string> {
  const fields = error instanceof CallError ? error.fields : {}
  if (Object.keys(fields).length === 0) explainAsNotice(error, fallback)
  return fieldSentences(fields)
}

/** Shows a failure as a notice, with the seconds to wait if it is a rate limit: for an action whose fields are not on the screen. */
export function explainAsNotice(error: unknown, fallback: string = texts.somethingWrong): undefined {
  const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
  notify('error', wait === undefined ? sentenceOf(error, fallback) : waitForCode(wait))
}
