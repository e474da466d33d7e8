/** What is shown when a call with a form's fields failed. */

import { waitForCode } from '#lib/messages/en/access/signIn.ts'
import { fieldSentences } from '#lib/messages/en/platform/fields.ts'
import { texts } from '#lib/messages/en/platform/texts.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { notify } from '../platform/notices.ts'

/** Returns the sentences for the fields; a failure without any is shown as a notice, with the wait where there is one. */
export function explain(error: unknown, fallback: string = texts.somethingWrong): Record<string, string> {
  const { fields = {}, retryAfterSeconds: wait }: Partial<CallError> = error instanceof CallError ? error : {}
  if (Object.keys(fields).length === 0) notify('error', wait === undefined ? sentenceOf(error, fallback) : waitForCode(wait))
  return fieldSentences(fields)
}
