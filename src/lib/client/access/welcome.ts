import { signInTexts } from '#messages/access/signIn.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/toasts.ts'

/** Goes to the dashboard, which then shows the text. */
export function welcome(text: string = signInTexts.welcome): void {
  notifyNextPage('success', text)
  goTo('/dashboard')
}
