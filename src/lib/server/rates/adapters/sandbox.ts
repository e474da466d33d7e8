import type { RatesSource } from '../port.ts'

const PRICES_USD = {
  CPC: '0.05',
  PTC: '0.0009',
  BTC: '97000',
  SOL: '190',
  ETH: '3400',
  BNB: '690',
  USDC: '1',
  XRP: '2.35',
  stETH: '3395',
  TON_COIN: '5.4',
  SHIBA: '0.000024',
  wstETH: '4040',
  WBTC: '96800',
  WETH: '3400',
  BLUR: '0.31',
  LINK: '17.2',
  UNI: '9.8',
  DAI: '1',
  LEO: '8.9',
  NEAR: '5.7',
  PEPE: '0.00002',
  weETH: '3580',
  FET: '1.35',
  FDUSD: '1'
}

/** Fixed figures. PTC has no market: its price is that of the package list. */
export function sandboxRates(clock: () => Date): RatesSource {
  return {
    current: async () => {
      const at = clock()
      return {
        eurPerUsd: { value: '0.92', source: 'sandbox', at },
        pricesUsd: {
          values: PRICES_USD,
          source: 'sandbox',
          at
        }
      }
    }
  }
}
