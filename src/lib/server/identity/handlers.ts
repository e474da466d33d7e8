import { type ApiDependencies, type Call, route } from '../platform/api/route.ts'
import type { Api } from '../platform/api/types.ts'
import { AppError } from '../platform/errors.ts'
import { SignatureError } from '../platform/ports.ts'
import { createKycLink } from './link.ts'
import { readKycData } from './read.ts'
import { receiveIdentityEvent } from './receive.ts'

export function registerIdentity(api: Api, dependencies: ApiDependencies): void {
  const { context } = dependencies
  route(api, dependencies, 'getKycData', 'Where the identity check stands', ({ customer }) => readKycData(context, customer))
  route(api, dependencies, 'getKycLink', 'A link to the identity check', ({ customer, body }) =>
    createKycLink(context, customer, body.ttlInSecs)
  )
  route(api, dependencies, 'receiveIdentityEvent', 'What the identity provider tells; signed by it', async (call) => {
    const event = await readEvent(dependencies, call)
    return { outcome: event ? await receiveIdentityEvent(context, event) : 'ignored' }
  })
}

/** The signature is over the bytes as they came. Throws `signature_invalid`. */
async function readEvent({ context }: ApiDependencies, { http }: Call<'receiveIdentityEvent'>) {
  const body = await http.req.text()
  try {
    return context.ports.identity.readEvent({ body, header: (name) => http.req.header(name) })
  } catch (error) {
    if (error instanceof SignatureError) throw new AppError('signature_invalid')
    throw error
  }
}
