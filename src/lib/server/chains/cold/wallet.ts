/** Cold storage: what the signer knows of a key that is kept offline, and the proof that somebody holds that key. */
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Derived } from '../addresses/proof.ts'
import type { ColdPurpose } from '../schema.ts'

export type ColdWallet = {
  chain: Chain
  /** Tells this key of this network from every other: 64 hexadecimal digits. */
  id: string
  /** The addresses of the key: any number of them for Bitcoin, one for the other chains. */
  addressAt: (purpose: ColdPurpose, position: number) => Pick<Derived, 'address' | 'accountId' | 'publicKey'>
  /** True if the offline key has signed the text. `signature`: in the form that wallets of the chain give. */
  isSigned: (text: string, signature: string) => Promise<boolean>
  /** Bitcoin: the public key of an address and its path, for the offline wallet to find its key. */
  keyAt?: (purpose: ColdPurpose, position: number) => { publicKey: Uint8Array; fingerprint: number; path: string }
}

/** What the holder of the offline key signs, once, before the first coins are moved: coins sent to a key that nobody has are lost. */
export function coldChallenge({ chain, id }: Pick<ColdWallet, 'chain' | 'id'>): string {
  return `CP Wallet cold storage on ${chain}: I hold the key ${id}`
}
