/** The errors of a withdrawal's destination, shown at the field. */
import type { TransferError } from '#lib/domain/fields.ts'

export const transferMessages: Record<TransferError, string> = {
  // If the chain is known, the form shows a more exact sentence (addresses.ts).
  address_form: 'This is not an address of this network.',
  address_otherChain: 'This is an address of another network.',
  address_network: 'This address belongs to another network, such as a test network.',
  address_checksum: 'A character in this address is wrong. Please copy it again.',
  address_version: 'We cannot send to this type of address yet.',
  address_zero: 'This address belongs to no one: anything sent there is lost.',
  address_ours: 'This is your own deposit address here, or one of our own wallets. Use an address outside this account.',
  address_token: 'This is the address of a token contract: anything sent there is lost.',
  address_not_listed: 'This address is not on your whitelist.',
  address_resting: 'This address is new on your whitelist. You can use it 24 hours after it was added.',
  public_key_wrong: 'This public key does not match the account.',
  details_required: 'Above EUR 1,000, we must know who receives it.'
}

export function isTransferError(code: string): code is TransferError {
  return Object.hasOwn(transferMessages, code)
}
