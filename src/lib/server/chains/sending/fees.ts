/** The smallest fee of the CPC chain, which is the usual one: 1 CPC. */
export const CPC_FEE = 100_000_000n
