import type { identityCalls } from '#lib/contract/identity.ts'
import type { Call, Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { createIdentityLink } from './link.ts'
import { type IdentityProvider, SignatureError } from './port.ts'
import { readIdentityData } from './read.ts'
import { receiveIdentityEvent } from './receive.ts'

export function identityHandlers(context: Context, provider: IdentityProvider): Handlers<keyof typeof identityCalls> {
  return {
    getKycData: ({ customer }) => readIdentityData(context, customer),
    getKycLink: ({ customer, body }) => createIdentityLink(context, provider, customer, body.ttlInSecs),
    receiveIdentityEvent: async (call) => {
      const event = await readEvent(provider, call)
      return { outcome: event ? await receiveIdentityEvent(context, provider, event) : 'ignored' }
    }
  }
}

/** Verifies the signature over the body's bytes as received. Throws `signature_invalid`. */
async function readEvent(provider: IdentityProvider, { http }: Call<'receiveIdentityEvent'>) {
  const body = await http.req.text()
  try {
    return provider.readEvent({ body, header: (name) => http.req.header(name) })
  } catch (error) {
    if (error instanceof SignatureError) throw new AppError('signature_invalid')
    throw error
  }
}
