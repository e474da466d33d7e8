/**
 * Two nodes that must agree. A block is read only where a second, independent node has the same block at the depth at which a deposit is
 * credited. What is in a block of Ethereum or CPC cannot be checked against its hash here, so for these both nodes must also show the same
 * payments. Coins are compared with the books only where both nodes show the same amount. One node that lies, or that was cut off from
 * its network, then credits nothing, books no surplus and hides no loss.
 */
import { type ChainNode, NodeError } from '../port.ts'

/** `depth`: the confirmations that a deposit needs, of the chain's token that needs most. Nothing is read while the second node is silent or behind. */
export function agreeingNode(
  node: ChainNode,
  second: Pick<ChainNode, 'hashAt' | 'holds' | 'blockAt' | 'knows' | 'tip'>,
  depth: number
): ChainNode {
  return {
    ...node,
    // The one that is behind: nothing is read before both have it.
    tip: async () => {
      const [one, other] = await Promise.all([node.tip(), second.tip()])
      return one.height <= other.height ? one : { height: other.height, hash: await node.hashAt(other.height) }
    },
    blockAt: async (height) => {
      const block = await node.blockAt(height)
      // Bitcoin's was checked against its hash. Of the others, what concerns us is compared where it is known what does.
      const other = node.chain === 'bitcoin' ? undefined : await second.blockAt(height)
      if (other && (other.hash !== block.hash || other.parent !== block.parent || other.time !== block.time))
        throw new NodeError(`The two nodes have different blocks at height ${height}`)
      const deep = height - depth + 1
      if (deep < 0) return { ...block, other }
      const [ours, theirs] = await Promise.all([node.hashAt(deep), second.hashAt(deep)])
      if (ours !== theirs) throw new NodeError(`The two nodes have different blocks at height ${deep}: ${ours} and ${theirs}`)
      return { ...block, other }
    },
    ...(node.knows && {
      knows: async (transactionId: string) =>
        (await node.knows?.(transactionId)) || (await second.knows?.(transactionId)) || false
    }),
    holds: async (place, height) => {
      // Without a height each of them answers as of its own newest block: the hot wallet's balance may differ for a moment.
      if (height === undefined && !('outpoint' in place)) return node.holds(place)
      const [one, other] = await Promise.all([node.holds(place, height), second.holds(place, height)])
      if (one === other) return one
      const where = 'outpoint' in place ? place.outpoint : `${place.token} at ${place.address}`
      throw new NodeError(`The two nodes do not hold the same of ${where}: ${one} and ${other}`)
    }
  }
}
