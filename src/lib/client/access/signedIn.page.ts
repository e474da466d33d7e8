/** The script of the page that follows a sign-in by form: stores the token pair and replaces this page in the browser's history. */
import { signInPageTexts } from '#messages/access/signInPage.ts'
import { endedSession } from '../platform/endedSession.ts'
import { readStoredSession, startSession } from '../platform/session.ts'
import { notifyNextPage } from '../platform/toasts.ts'

const data = document.querySelector<HTMLElement>('main')?.dataset
const { token, refreshToken } = data ?? {}

if (token && refreshToken) {
  startSession({ token, refreshToken })
  delete data?.token
  delete data?.refreshToken
  notifyNextPage('success', signInPageTexts.welcome)
}
// If no pair is stored now, it was handed out earlier and lost, e.g. because this page was closed too early: sign in again.
if (readStoredSession()) window.location.replace('/dashboard')
else endedSession()
