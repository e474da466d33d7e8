/** Where names are looked up. */
import { type Asked, checkOutside, checkUrl, type Environment } from '../platform/config.ts'

/** `isOff`: `SCREENING_LIST=off`, for tests and for the sandbox. `list`: the XML of the EU's list, at an address or in a file. `watchman`: the address of a Watchman of our own. Both unset: the sandbox has a list of its own, production none. */
export type ScreeningConfig = { isOff: boolean; list: string | undefined; watchman: string | undefined }

export function readScreeningConfig(env: Environment, { production, problems }: Asked): ScreeningConfig {
  const isOff = env.SCREENING_LIST === 'off'
  const [list, watchman] = [(!isOff && env.SCREENING_LIST) || undefined, env.SCREENING_WATCHMAN_URL || undefined]
  if (list && watchman) problems.push('SCREENING_LIST and SCREENING_WATCHMAN_URL are both set: choose one')
  if (list && URL.canParse(list) && !['https:', 'http:'].includes(new URL(list).protocol))
    problems.push('SCREENING_LIST must be an address (https) or the path of a file')
  else if (production && list && URL.canParse(list)) checkOutside(env, 'SCREENING_LIST', problems)
  if (production) checkOutside(env, 'SCREENING_WATCHMAN_URL', problems)
  else checkUrl(env, 'SCREENING_WATCHMAN_URL', ['http:', 'https:'], problems)
  return { isOff, list, watchman }
}
