/** The script of the page after a form has signed somebody in: keeps the pair, and leaves no way back to this page. */
import { signInTexts } from '#messages/access/signIn.ts'
import { endedSession } from '../platform/endedSession.ts'
import { readStoredSession, startSession } from '../platform/session.ts'
import { notifyNextPage } from '../platform/toasts.ts'

const data = document.querySelector<HTMLElement>('main')?.dataset
const { token, refreshToken } = data ?? {}

if (token && refreshToken) {
  startSession({ token, refreshToken })
  delete data?.token
  delete data?.refreshToken
  notifyNextPage('success', signInTexts.welcome)
}
// The pair was made before and never kept, e.g. because that page was closed too early: only signing in again helps.
if (readStoredSession()) window.location.replace('/dashboard')
else endedSession()
