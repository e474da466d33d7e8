import { signInTexts } from '#lib/messages/en/signIn.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/notices.ts'

/** The session is there: the dashboard says so. */
export function welcome(text: string = signInTexts.welcome): void {
  notifyNextPage('success', text)
  goTo('/dashboard')
}
