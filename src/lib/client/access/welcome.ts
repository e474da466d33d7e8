import { texts } from '#lib/messages/screens.ts'
import { goTo } from '../platform/navigation.ts'
import { notifyNextPage } from '../platform/notices.ts'

/** The session is there: the dashboard says so. */
export function welcome(text: string = texts.welcome): void {
  notifyNextPage('success', text)
  goTo('/dashboard')
}
