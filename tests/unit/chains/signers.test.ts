/** What the address check accepts, the signers of the three chains can pay: each kind of address goes to the real signer. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountOf, readAddress, withChecksum } from '#lib/domain/chains/address.ts'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import { writeAccount } from '#lib/domain/chains/reedSolomon.ts'
import { bitcoinSigner } from '#lib/server/chains/adapters/bitcoin/sign.ts'
import { cpcSigner } from '#lib/server/chains/adapters/cpc/sign.ts'
import { ethereumSigner } from '#lib/server/chains/adapters/ethereum/sign.ts'
import { addressMakers } from '#lib/server/chains/adapters/makers.ts'
import { CPC_FEE } from '#lib/server/chains/sending/fees.ts'
import type { Plan } from '#lib/server/chains/sending/plan.ts'

const SEED = Buffer.from('72'.repeat(8) + '1f'.repeat(24), 'hex')
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const NETWORKS = ['main', 'test', 'regtest'] as const
const base58check = createBase58check(sha256)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

function planOf(chain: Chain, to: string, token: ChainToken, bitcoin: (typeof NETWORKS)[number]): Plan {
  const made = addressMakers(SEED, { bitcoin, cpcPrefix: 'CPC' })[chain]('hot', 0)
  const address = { ...made, id: 1n, chain, purpose: 'hot', position: 0 } as NonNullable<Plan['from']>
  const coin = { outpoint: `${'ab'.repeat(32)}:0`, amount: 200_000n, address }
  return {
    payout: { to, token, amount: 100_000n },
    from: chain === 'bitcoin' ? undefined : address,
    coins: chain === 'bitcoin' ? [coin] : [],
    change: undefined,
    nonce: 7n,
    size: 21_000n,
    price: { most: 30n, tip: 1n },
    networkFee: 630_000n,
    chainTime: 1_000n,
    prepared: chain === 'cpc' ? preparedCpc(address.publicKey ?? '', to) : undefined
  } as unknown as Plan
}

/** The bytes that a node prepares for an ordinary payment. Source: NXT, `TransactionImpl.getBytes`. */
function preparedCpc(publicKey: string, to: string): string {
  const prepared = Buffer.alloc(176)
  prepared[1] = 0x10
  prepared.writeUInt32LE(1_000, 2)
  prepared.writeUInt16LE(1_440, 6)
  Buffer.from(publicKey, 'hex').copy(prepared, 8)
  prepared.writeBigUInt64LE(accountOf(to) ?? 0n, 40)
  prepared.writeBigUInt64LE(100_000n, 48)
  prepared.writeBigUInt64LE(CPC_FEE, 56)
  return prepared.toString('hex')
}

const PREFIX = { main: 'bc', test: 'tb', regtest: 'bcrt' } as const
const VERSIONS = { main: { key: 0, script: 5 }, test: { key: 111, script: 196 }, regtest: { key: 111, script: 196 } } as const
const segwit = (network: (typeof NETWORKS)[number], version: number, program: Uint8Array) => {
  const code = version === 0 ? bech32 : bech32m
  return code.encode(PREFIX[network], [version, ...code.toWords(program)])
}
const base58 = (version: number, hash: Uint8Array) => base58check.encode(Uint8Array.from([version, ...hash]))

describe.each(NETWORKS)('Bitcoin, %s', (network) => {
  const kinds = fc.oneof(
    bytes(20).map((hash) => base58(VERSIONS[network].key, hash)),
    bytes(20).map((hash) => base58(VERSIONS[network].script, hash)),
    bytes(20).map((hash) => segwit(network, 0, hash)),
    bytes(32).map((hash) => segwit(network, 0, hash)),
    bytes(32).map((key) => segwit(network, 1, key)),
    bytes(32).map((key) => segwit(network, 1, key).toUpperCase()),
    fc.constantFrom(0xff, 0x00).map((byte) => segwit(network, 1, new Uint8Array(32).fill(byte)))
  )

  it('signs a payment to every address that the check accepts', async () => {
    const sign = bitcoinSigner(SEED, network)
    const accepted = { taproot: 0, others: 0 }
    await fc.assert(
      fc.asyncProperty(kinds, async (text) => {
        const read = readAddress('bitcoin', text, { bitcoin: network, cpcPrefix: 'CPC' })
        if (read.fault) return
        accepted[text.toLowerCase().startsWith(`${PREFIX[network]}1p`) ? 'taproot' : 'others'] += 1
        await sign(planOf('bitcoin', read.address, 'BTC', network))
      }),
      { numRuns: 200 }
    )
    expect(accepted.taproot).toBeGreaterThan(10)
    expect(accepted.others).toBeGreaterThan(50)
  })
})

describe('Ethereum and CPC', () => {
  it.each(['ETH', 'USDC'] as const)('signs %s to every address that the check accepts', async (token) => {
    const sign = ethereumSigner(SEED, 1, { USDC })
    await fc.assert(
      fc.asyncProperty(bytes(20), fc.constantFrom('lower', 'upper', 'checksum'), async (raw, form) => {
        const hex = Buffer.from(raw).toString('hex')
        const text = form === 'lower' ? `0x${hex}` : form === 'upper' ? `0x${hex.toUpperCase()}` : withChecksum(`0x${hex}`)
        const read = readAddress('ethereum', text, { bitcoin: 'main', cpcPrefix: 'CPC' })
        if (!read.fault) await sign(planOf('ethereum', read.address, token, 'main'))
      })
    )
  })

  it('signs CPC to every account that the check accepts', async () => {
    const sign = cpcSigner(SEED)
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (id) => {
        const read = readAddress('cpc', `CPC-${writeAccount(id)}`, { bitcoin: 'main', cpcPrefix: 'CPC' })
        if (!read.fault) await sign(planOf('cpc', read.address, 'CPC', 'main'))
      })
    )
  })
})
