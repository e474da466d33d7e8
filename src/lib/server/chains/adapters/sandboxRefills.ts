/** Refills on the sandbox's chains, which check no signatures: the file is the transaction as JSON, and its signature is a word in it. */
import { z } from 'zod'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import { RefillError, type RefillFormat } from '../cold/format.ts'
import { sandboxSigner } from './sandbox.ts'

const file = z.object({
  chain: z.string(),
  id: z.string(),
  senders: z.array(z.string()),
  spends: z.array(z.string()),
  payments: z.array(z.object({ index: z.string(), address: z.string(), token: z.custom<ChainToken>(), amount: z.string() })),
  nonce: z.string().optional(),
  fee: z.string(),
  expiresAt: z.string().optional(),
  signedBy: z.string().optional()
})

export function sandboxRefills(chain: Chain, clock: () => Date): RefillFormat {
  const big = (text: string | undefined) => (text === undefined ? undefined : BigInt(text))
  return {
    extension: 'json',
    write: async (plan) => {
      // Bitcoin has no account that pays.
      const { bytes } = await sandboxSigner(chain, clock)({ ...plan, from: chain === 'bitcoin' ? undefined : plan.from })
      return Buffer.from(`${JSON.stringify({ chain, ...JSON.parse(bytes), signedBy: '' })}\n`)
    },
    isSigned: () => true,
    read: async (bytes) => {
      const read = file.safeParse(parsed(bytes))
      if (!read.success) throw new RefillError('The file is no transaction of the sandbox')
      const { signedBy, chain: _, ...transaction } = read.data
      if (!signedBy) throw new RefillError('The transaction is not signed')
      const { id, spends, senders, nonce, fee, expiresAt, payments } = transaction
      return {
        chain,
        transactionId: id,
        bytes: JSON.stringify(transaction),
        spends,
        from: senders[0],
        nonce: big(nonce),
        fee: chain === 'bitcoin' ? undefined : BigInt(fee),
        expiresAt: big(expiresAt),
        payments: payments.map(({ address, token, amount }) => ({ address, token, amount: BigInt(amount) }))
      }
    }
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
