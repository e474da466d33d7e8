/** The errors of a typed address, shown at its field. */
import type { AddressFault } from '#lib/domain/chains/address.ts'
import type { Chain } from '#lib/domain/chains/chains.ts'

const mistyped = 'A character in this address is wrong. Please copy it again.'
const nobodys = 'This address belongs to no one: anything sent there is lost.'

export const addressTexts: Record<Chain, Record<AddressFault, string>> = {
  bitcoin: {
    form: 'This is not a Bitcoin address.',
    otherChain: 'This is not a Bitcoin address but one on another network.',
    network: 'This address belongs to another Bitcoin network, such as the test network.',
    checksum: mistyped,
    version: 'We cannot send to this type of Bitcoin address yet.',
    zero: nobodys
  },
  ethereum: {
    form: 'This is not an Ethereum address.',
    otherChain: 'This is not an Ethereum address but one on another network.',
    network: 'This address belongs to another network.',
    checksum: 'A character in this address is wrong, or a capital letter is. Please copy it again.',
    version: 'We cannot send to this type of address yet.',
    zero: nobodys
  },
  cpc: {
    form: 'This is not a CPC account.',
    otherChain: 'This is not a CPC account but an address on another network.',
    network: 'This account belongs to a network other than CPC.',
    checksum: 'A character in this account is wrong. Please copy it again.',
    version: 'We cannot send to this type of account yet.',
    zero: 'This account belongs to no one: anything sent there is lost.'
  }
}
