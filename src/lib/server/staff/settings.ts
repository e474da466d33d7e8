/** The desk's settings of a process. Those that staff change by two persons are in `houseRules.ts`. */
import { type Asked, checkUrl, type Environment, wholeNumber } from '../platform/config.ts'

export type DeskConfig = {
  /** The desk's address in production, e.g. `https://desk.example`; undefined in the sandbox, where it is `http://desk.localhost:DESK_PORT`. */
  url: string | undefined
  port: number
  /** How long a new passkey of staff only signs in. */
  keyRestHours: number
}

const REST_HOURS = 24

const urlOf = (text: string | undefined) => (text && URL.canParse(text) ? new URL(text) : undefined)
const nameOf = (url: URL | undefined) => url?.hostname.replace(/\.$/, '')

/** The desk's own settings. A process without a desk may know the address too: it then refuses requests to that name. */
export function readDeskConfig(env: Environment, { role, production, problems }: Asked): DeskConfig {
  checkUrl(env, 'DESK_URL', production ? ['https:'] : ['http:', 'https:'], problems)
  if (production && role === 'desk' && !env.DESK_URL)
    problems.push("DESK_URL is missing: the address of the operators' desk, e.g. https://desk.wallet.example")
  const [desk, customers] = [urlOf(env.DESK_URL), urlOf(env.PUBLIC_URL)]
  if (desk && (desk.href !== `${desk.origin}/` || /^[\d.]+$|^\[/.test(desk.hostname)))
    problems.push('DESK_URL must be a name without a path, a user or an IP address: passkeys are bound to it')
  const [own, theirs] = [nameOf(desk), nameOf(customers)]
  // Of a parent's name the customers' pages could ask for the desk's passkeys.
  if (own && theirs && (own === theirs || theirs.endsWith(`.${own}`)))
    problems.push(
      'DESK_URL must have another host than PUBLIC_URL, and none that it is a part of: the desk shares nothing with the customers'
    )
  return {
    url: env.DESK_URL || undefined,
    port: wholeNumber(env, 'DESK_PORT', 4322, [0, 65_535], problems),
    // The sandbox lets a new passkey approve at once, so that all can be tried.
    keyRestHours: wholeNumber(
      env,
      'STAFF_KEY_REST_HOURS',
      production ? REST_HOURS : 0,
      [production ? REST_HOURS : 0, 720],
      problems
    )
  }
}
