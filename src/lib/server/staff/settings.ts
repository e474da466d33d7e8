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

/** The desk's own settings. A process without a desk may know the address too: it then refuses requests to that name. */
export function readDeskConfig(env: Environment, { role, production, problems }: Asked): DeskConfig {
  checkUrl(env, 'DESK_URL', production ? ['https:'] : ['http:', 'https:'], problems)
  if (production && role === 'desk' && !env.DESK_URL)
    problems.push("DESK_URL is missing: the address of the operators' desk, e.g. https://desk.wallet.example")
  const isSame = env.DESK_URL && env.PUBLIC_URL && URL.canParse(env.DESK_URL) && URL.canParse(env.PUBLIC_URL)
  if (isSame && new URL(env.DESK_URL ?? '').hostname === new URL(env.PUBLIC_URL ?? '').hostname)
    problems.push('DESK_URL must have another host than PUBLIC_URL: the desk shares no cookie with the customers')
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
