/** Addresses of the three chains, with the test vectors of BIP 173, BIP 350, EIP-55 and NXT. */
import { bech32m } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { ADDRESS_FAULTS, accountOfKey, readAddress, withChecksum } from '#lib/domain/chains/address.ts'
import { CHAINS, chainOf, DEPOSITABLE, isChainToken } from '#lib/domain/chains/chains.ts'
import { readAccount, writeAccount } from '#lib/domain/chains/reedSolomon.ts'
import { addressTexts } from '#messages/chains/addresses.ts'

const main = { bitcoin: 'main', cpcPrefix: 'CPC' } as const
const faultOf = (chain: (typeof CHAINS)[number], text: string, networks: Parameters<typeof readAddress>[2] = main) =>
  readAddress(chain, text, networks).fault

describe('Bitcoin', () => {
  it.each([
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', undefined],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', undefined],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', undefined],
    [' 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy ', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy']
  ])('takes %s', (text, kept) => {
    expect(readAddress('bitcoin', text, main)).toEqual({ address: kept ?? text })
  })

  it.each([
    ['', 'form'],
    ['hello', 'form'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'checksum'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3t4', 'checksum'],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'checksum'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'network'],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'network'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'network'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'network'],
    // A version 1 (taproot) address with the checksum of version 0, and the reverse (BIP 350).
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'checksum'],
    ['bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', 'checksum'],
    // No point of the curve has this x coordinate: no key could spend the coins.
    [bech32m.encode('bc', [1, ...bech32m.toWords(new Uint8Array(32).fill(0xff))]), 'form'],
    ['BC1SW50QGDZ25J', 'version'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'otherChain'],
    ['CPC-MRCC-2YLS-8M54-3CMAJ', 'otherChain']
  ])('refuses %s: %s', (text, fault) => {
    expect(faultOf('bitcoin', text)).toBe(fault)
  })

  it('takes addresses of the network that is set', () => {
    const regtest = { bitcoin: 'regtest', cpcPrefix: 'CPC' } as const
    expect(faultOf('bitcoin', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', regtest)).toBeUndefined()
    expect(faultOf('bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', regtest)).toBeUndefined()
    expect(faultOf('bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', regtest)).toBe('network')
  })
})

describe('Ethereum', () => {
  const vectors = [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
  ]

  it('takes an address with its capitals or in one case, and keeps it with its capitals', () => {
    for (const address of vectors) {
      expect(withChecksum(address.toLowerCase())).toBe(address)
      for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
        expect(readAddress('ethereum', text, main)).toEqual({ address })
    }
  })

  it.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'checksum'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'form'],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'form'],
    ['0x0000000000000000000000000000000000000000', 'zero'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'otherChain']
  ])('refuses %s: %s', (text, fault) => {
    expect(faultOf('ethereum', text)).toBe(fault)
  })
})

describe('CPC', () => {
  it('writes and reads account numbers as NXT does', () => {
    expect(writeAccount(1_739_068_987_193_023_818n)).toBe('MRCC-2YLS-8M54-3CMAJ')
    expect(writeAccount(8_264_278_205_416_377_583n)).toBe('K59H-9RMF-64CY-9X6E7')
    expect(writeAccount(0n)).toBe('2222-2222-2222-22222')
    for (const id of [1n, 31n, 2n ** 63n, 2n ** 64n - 1n]) expect(readAccount(writeAccount(id))).toBe(id)
    expect(() => writeAccount(2n ** 64n)).toThrow(RangeError)
    expect(readAddress('cpc', 'cpc-mrcc-2yls-8m54-3cmaj', main)).toEqual({ address: 'CPC-MRCC-2YLS-8M54-3CMAJ' })
  })

  it('finds every single wrong character and every two neighbours that changed places', () => {
    const right = 'MRCC2YLS8M543CMAJ'
    for (const [place, character] of [...right].entries()) {
      for (const other of '23456789ABCDEFGHJKLMNPQRSTUVWXYZ') {
        if (other !== character) expect(readAccount(right.slice(0, place) + other + right.slice(place + 1))).toBe('checksum')
      }
      const next = right[place + 1]
      if (next && next !== character)
        expect(readAccount(right.slice(0, place) + next + character + right.slice(place + 2))).toBe('checksum')
    }
  })

  it.each([
    ['CPC-MRCC-2YLS-8M54-3CMAK', 'checksum'],
    ['NXT-MRCC-2YLS-8M54-3CMAJ', 'network'],
    ['CPC-2222-2222-2222-22222', 'zero'],
    ['CPC-MRCC-2YLS-8M54', 'form'],
    ['1739068987193023818', 'form'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'otherChain']
  ])('refuses %s: %s', (text, fault) => {
    expect(faultOf('cpc', text)).toBe(fault)
  })

  it('knows the account of a public key', () => {
    // The genesis account of NXT.
    expect(accountOfKey('1259ec21d31a30898d7cd1609f80d9668b4778e3d97e941044b39f0c44d2e51b')).toBe(1_739_068_987_193_023_818n)
    expect(accountOfKey('1259')).toBeUndefined()
  })
})

it('knows the chain of every token that can be deposited or withdrawn', () => {
  expect(DEPOSITABLE.map(chainOf)).toEqual(['ethereum', 'cpc', 'ethereum', 'bitcoin'])
  expect(['BTC', 'ETH', 'USDC', 'CPC', 'PTC', 'SOL', 'toString'].filter(isChainToken)).toEqual(['BTC', 'ETH', 'USDC', 'CPC'])
})

it('says each fault in its own sentence', () => {
  for (const chain of CHAINS) {
    const sentences = ADDRESS_FAULTS.map((fault) => addressTexts[chain][fault])
    expect(new Set(sentences).size).toBe(ADDRESS_FAULTS.length)
  }
})
