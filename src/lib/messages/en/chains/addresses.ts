/** The errors of a typed address, shown at its field. */
import type { AddressFault } from '#lib/domain/chains/address.ts'
import type { Chain } from '#lib/domain/chains/chains.ts'

const mistyped = 'A character of this address is wrong. Please copy it again.'
const nobodys = 'This address belongs to nobody: what is sent there is lost.'

export const addressTexts: Record<Chain, Record<AddressFault, string>> = {
  bitcoin: {
    form: 'This is not a Bitcoin address.',
    otherChain: 'This is not a Bitcoin address but one of another network.',
    network: 'This address belongs to another Bitcoin network, such as the test network.',
    checksum: mistyped,
    version: 'This kind of Bitcoin address cannot be paid to yet.',
    zero: nobodys
  },
  ethereum: {
    form: 'This is not an Ethereum address.',
    otherChain: 'This is not an Ethereum address but one of another network.',
    network: 'This address belongs to another network.',
    checksum: 'A character of this address is wrong, or its capitals are. Please copy it again.',
    version: 'This kind of address cannot be paid to yet.',
    zero: nobodys
  },
  cpc: {
    form: 'This is not a CPC account.',
    otherChain: 'This is not a CPC account but an address of another network.',
    network: 'This account belongs to another network than CPC.',
    checksum: 'A character of this account is wrong. Please copy it again.',
    version: 'This kind of account cannot be paid to yet.',
    zero: 'This account belongs to nobody: what is sent there is lost.'
  }
}
