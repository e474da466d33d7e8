/** The key by which a person of the staff decides outside the desk, and signs what the signer is to do. */
import { readFileSync } from 'node:fs'
import { type PrivateKey, privateKey, signingKeyOfPem } from '../platform/ed25519.ts'
import type { WithdrawalsConfig } from '../withdrawals/settings.ts'

type Settings = Pick<WithdrawalsConfig, 'sandboxOperator' | 'operatorKeys'>
/** `name`: as OPERATOR_KEYS has it, the person's e-mail. */
export type Operator = { name: string; key: PrivateKey }

/** Reads a person's key from `file`; an empty name means the sandbox's key. Where nobody is known by it, prints why and returns undefined. */
export function readOperator({ sandboxOperator, operatorKeys }: Settings, file: string): Operator | undefined {
  try {
    const read = file === '' ? sandboxOperator : signingKeyOfPem(readFileSync(file, 'utf8'))
    const key = read && privateKey(read)
    const known = key && operatorKeys.find(({ publicKey }) => publicKey === key.publicKey)
    if (key && known) return { name: known.name, key }
    console.error(
      key ? `OPERATOR_KEYS does not name whose key this is: ${key.publicKey}` : 'Name the file of your key: --as FILE'
    )
  } catch (error) {
    console.error(`${file} holds no Ed25519 private key: ${error instanceof Error ? error.message : error}`)
  }
  return undefined
}
