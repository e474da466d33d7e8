/** A second node must have the same block at the depth of credit. */
import { describe, expect, it } from 'vitest'
import { agreeingNode } from '#lib/server/chains/adapters/agreeing.ts'
import { type ChainNode, NodeError } from '#lib/server/chains/port.ts'

const DEPTH = 3
const blocks =
  (chain: string, forkAt = Number.POSITIVE_INFINITY) =>
  (height: number) =>
    `${height >= forkAt ? chain : 'common'}-${height}`
const nodeOf = (hashOf: (height: number) => string) =>
  ({
    chain: 'bitcoin',
    hashAt: async (height: number) => hashOf(height),
    blockAt: async (height: number) => ({ height, hash: hashOf(height), parent: hashOf(height - 1), transactions: [] })
  }) as unknown as ChainNode

describe('two nodes', () => {
  it('that agree let blocks be read, the first ones too', async () => {
    const node = agreeingNode(nodeOf(blocks('a')), nodeOf(blocks('b')), DEPTH)
    for (const height of [0, 1, 2, 3, 100]) expect(await node.blockAt(height)).toMatchObject({ height, hash: `common-${height}` })
  })

  it('may differ above the depth of credit, and not at it', async () => {
    const node = agreeingNode(nodeOf(blocks('a', 10)), nodeOf(blocks('b', 10)), DEPTH)
    expect(await node.blockAt(11)).toMatchObject({ hash: 'a-11' })
    await expect(node.blockAt(12)).rejects.toThrow('The two nodes have different blocks at height 10: a-10 and b-10')
  })

  it('of which the second is silent or behind wait', async () => {
    const silent = { ...nodeOf(blocks('b')), hashAt: async () => Promise.reject(new NodeError('no answer')) }
    await expect(agreeingNode(nodeOf(blocks('a')), silent, DEPTH).blockAt(5)).rejects.toBeInstanceOf(NodeError)
    expect(await agreeingNode(nodeOf(blocks('a')), silent, DEPTH).blockAt(1), 'nothing is deep yet').toMatchObject({ height: 1 })
  })

  it('must hold the same coins: neither a surplus nor a loss is believed of one node', async () => {
    const holding = (amount: bigint) => ({ ...nodeOf(blocks('a')), holds: async () => amount })
    const address = { address: '0x1', token: 'ETH' } as const
    for (const place of [address, { outpoint: 'a:0', address: 'bcrt1' }]) {
      expect(await agreeingNode(holding(5n), holding(5n), DEPTH).holds(place, 7)).toBe(5n)
      for (const [one, other] of [
        [5n, 4n],
        [4n, 5n]
      ] as const)
        await expect(agreeingNode(holding(one), holding(other), DEPTH).holds(place, 7)).rejects.toThrow(
          /The two nodes do not hold the same/
        )
    }
    expect(await agreeingNode(holding(5n), holding(4n), DEPTH).holds(address), 'as of now they may be a block apart').toBe(5n)
  })
})
