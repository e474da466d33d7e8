/** The range of a value line, from the page's URL. */
import { RANGES, type Range } from '#lib/domain/wallet/valueLine.ts'

export function readRange({ searchParams }: URL): Range {
  return RANGES.find((range) => range === searchParams.get('range')) ?? '1M'
}
