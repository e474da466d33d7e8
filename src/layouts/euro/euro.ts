/** The filter of the euro history, from its URL. Invalid values are left out. */
import type { EuroFilter } from '#lib/domain/euro/history.ts'
import { EURO_ACTIONS } from '#lib/domain/euro/sample.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readEuroFilter(search: URLSearchParams): EuroFilter {
  const address = (search.get('address') ?? '').replace(/\s/g, '').slice(0, 40)
  const [from, until] = [search.get('from') ?? '', search.get('until') ?? '']
  const action = EURO_ACTIONS.find((one) => one === search.get('action'))
  return {
    ...(address && { address }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(until) && { until }),
    ...(action && { action })
  }
}
