import type { RatesSource } from '../../ports.ts'

/** Fixed figures. PTC has no market: its price is that of the package list. */
export function sandboxRates(clock: () => Date): RatesSource {
  return {
    current: async () => {
      const at = clock()
      return {
        eurPerUsd: { value: '0.92', source: 'sandbox', at },
        pricesUsd: {
          values: { CPC: '0.05', PTC: '0.0009', USDC: '1', BTC: '97000', ETH: '3400' },
          source: 'sandbox',
          at
        }
      }
    }
  }
}
