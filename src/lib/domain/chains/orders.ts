/** Orders about a payment that no block takes: what a person signs, and how many persons it takes. */
import { challengeOfParts, type Once } from '../staff/challenge.ts'

/** `bump`: may pay this network fee at most. `cancel`: something of ours takes its place, at this fee at most. */
export type ChainOrderKind = 'bump' | 'cancel'

/** `mostFee`: in the smallest units of the chain's own token. */
export type SendOrder = { sendId: string; kind: ChainOrderKind; mostFee: bigint }

const VERSION = 'cp-order-v1'

/** The challenge that the passkey signs. `network`: what tells the network from every other, e.g. `ethereum 1`. */
export function orderChallenge(network: string, { sendId, kind, mostFee }: SendOrder, once: Once): Uint8Array<ArrayBuffer> {
  return challengeOfParts([VERSION, network, kind, sendId, `${mostFee}`], once)
}

/** `cap`: the fee that the signer would pay by itself. Above it, and to take a payment back, two persons agree. */
export function personsForOrder({ kind, mostFee }: Pick<SendOrder, 'kind' | 'mostFee'>, cap: bigint): 1 | 2 {
  return kind === 'bump' && mostFee <= cap ? 1 : 2
}
