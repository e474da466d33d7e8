import { signInPageTexts } from '#messages/access/signInPage.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/toasts.ts'

/** Goes to the dashboard, which then shows the text. */
export function welcome(text: string = signInPageTexts.welcome): void {
  notifyNextPage('success', text)
  goTo('/dashboard')
}
