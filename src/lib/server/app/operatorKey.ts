/** The key by which an operator signs what the signer is to do. */
import { readFileSync } from 'node:fs'
import { type PrivateKey, privateKey, signingKeyOfPem } from '../platform/ed25519.ts'
import type { WithdrawalsConfig } from '../withdrawals/settings.ts'

/** Reads the operator's key from `file`. An empty name means the sandbox's key. Without a key it prints the reason and returns undefined. */
export function readOperatorKey({ sandboxOperator }: WithdrawalsConfig, file: string): PrivateKey | undefined {
  try {
    const key = file === '' ? sandboxOperator : signingKeyOfPem(readFileSync(file, 'utf8'))
    if (key) return privateKey(key)
    console.error('Name the file of your key: --key FILE')
  } catch (error) {
    console.error(`${file} holds no Ed25519 private key: ${error instanceof Error ? error.message : error}`)
  }
  return undefined
}
