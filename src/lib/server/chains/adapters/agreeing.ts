/**
 * Two nodes that must agree: a block is read only where a second, independent node has the same block at the depth at which a deposit is
 * credited. One node that lies, or that was cut off from its network, then credits nothing.
 */
import { type ChainNode, NodeError } from '../port.ts'

/** `depth`: the most confirmations that a deposit of the chain needs. A second node that is silent or behind holds reading up. */
export function agreeingNode(node: ChainNode, second: Pick<ChainNode, 'hashAt'>, depth: number): ChainNode {
  return {
    ...node,
    blockAt: async (height) => {
      const block = await node.blockAt(height)
      const deep = height - depth + 1
      if (deep < 0) return block
      const [one, other] = await Promise.all([node.hashAt(deep), second.hashAt(deep)])
      if (one !== other) throw new NodeError(`The two nodes have different blocks at height ${deep}: ${one} and ${other}`)
      return block
    }
  }
}
