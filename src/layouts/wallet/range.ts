/** The range of a value line, as the page's URL asks for it. */
import { RANGES, type Range } from '#lib/domain/wallet/valueLine.ts'

export function readRange({ searchParams }: URL): Range {
  return RANGES.find((range) => range === searchParams.get('range')) ?? '1M'
}
