/** Toasts on a page whose other parts are no island. An island of its own, so that the part it shows shares the script of all islands. */
import { ToastRegion } from './ToastRegion.tsx'

export function Notifications() {
  return <ToastRegion />
}
