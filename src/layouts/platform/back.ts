/** A path on our own site; it cannot name another host. */
const OWN_PATH = /^\/(?:[\w-][\w./?=&%#-]*)?$/

/** The path to return to after a form; the dashboard if `text` is not a path of our own. */
export function backPath(text: string): string {
  return OWN_PATH.test(text) ? text : '/dashboard'
}
