/** A path of our own: nothing that could name another host. */
const OWN_PATH = /^\/(?:[\w-][\w./?=&%#-]*)?$/

/** Where a form leads back to: the page that sent it. */
export function backPath(text: string): string {
  return OWN_PATH.test(text) ? text : '/dashboard'
}
