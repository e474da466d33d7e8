/** The range of a value line, from the page's URL, and its figures. */
import type { AstroGlobal } from 'astro'
import type { Answer } from '#lib/contract/types.ts'
import { RANGES, type Range } from '#lib/domain/wallet/valueLine.ts'
import { askAsCustomer, orCode } from '../platform/page.ts'

export function readRange({ searchParams }: URL): Range {
  return RANGES.find((range) => range === searchParams.get('range')) ?? '1M'
}

type Line = { data: Answer<'getValueLine'> | undefined }

/** Asked by the page, together with its other figures. */
export function askForLine(page: Pick<AstroGlobal, 'locals' | 'request'>, range: Range, currency?: string): Promise<Line> {
  const query = { range, in: page.locals.view.currency, ...(currency && { currency }) }
  const line = orCode(askAsCustomer(page)('getValueLine', { query }))
  // A page that does not draw it does not look at it.
  line.catch(() => undefined)
  return line
}
