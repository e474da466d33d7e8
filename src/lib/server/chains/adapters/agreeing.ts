/**
 * Two nodes that must agree: a block is read only where a second, independent node has the same block at the depth at which a deposit is
 * credited. Ethereum's and CPC's blocks are not bound to their hashes here, so both nodes must show the same payments as well. And coins are compared with the books only where both hold the same amount. One node that lies, or that was cut off from its
 * network, then credits nothing, books no surplus and hides no loss.
 */
import { type Block, type ChainNode, NodeError } from '../port.ts'

/** What a block says, however a node orders it. The places of payments within a transaction differ between programs of nodes. */
function contentsOf({ hash, parent, time, transactions }: Block): string {
  const inOrder = (list: unknown[]) =>
    list.map((one) => JSON.stringify(one, (_, v) => (typeof v === 'bigint' ? `${v}` : v))).toSorted()
  const texts = transactions.map(({ id, senders, spends, nonce, fee, isUndone = false, payments }) => ({
    id,
    senders,
    spends,
    nonce,
    fee,
    isUndone,
    payments: inOrder(payments.map(({ address, token, amount }) => ({ address, token, amount })))
  }))
  return JSON.stringify([hash, parent, `${time}`, inOrder(texts)])
}

/** `depth`: the most confirmations that a deposit of the chain needs. A second node that is silent or behind holds reading up. */
export function agreeingNode(
  node: ChainNode,
  second: Pick<ChainNode, 'hashAt' | 'holds' | 'blockAt' | 'knows'>,
  depth: number
): ChainNode {
  return {
    ...node,
    blockAt: async (height) => {
      const block = await node.blockAt(height)
      // Bitcoin's was checked against its hash.
      if (node.chain !== 'bitcoin' && contentsOf(block) !== contentsOf(await second.blockAt(height)))
        throw new NodeError(`The two nodes show different contents of block ${height}`)
      const deep = height - depth + 1
      if (deep < 0) return block
      const [one, other] = await Promise.all([node.hashAt(deep), second.hashAt(deep)])
      if (one !== other) throw new NodeError(`The two nodes have different blocks at height ${deep}: ${one} and ${other}`)
      return block
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
