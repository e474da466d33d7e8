import { useStore } from '@nanostores/react'
import { type Market, market } from '#lib/client/p2p/book.ts'
import { versionOf } from '#lib/domain/p2p/market.ts'

/** The trades, if newer ones have come than those that the page was made with, whose version is `shown`. */
export function useNewerMarket(shown: string): Market | undefined {
  const newest = useStore(market, { ssr: 'initial' })
  return newest && versionOf(newest) > shown ? newest : undefined
}
