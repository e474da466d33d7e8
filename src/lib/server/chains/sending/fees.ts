/** The minimum fee of the CPC chain, which is also the usual one: 1 CPC. */
export const CPC_FEE = 100_000_000n
