import type { helpCalls } from '#lib/contract/help.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { casesOfCustomer } from './cases.ts'
import { writeToSupport } from './write.ts'

export function helpHandlers(context: Context, supportEmail: string): Handlers<keyof typeof helpCalls> {
  return {
    writeToSupport: ({ customer: { email, userId }, body }) => writeToSupport(context, supportEmail, { email, userId, ...body }),
    listSupportCases: ({ customer }) => casesOfCustomer(context, customer),
    writeToSupportAsVisitor: ({ body }) => writeToSupport(context, supportEmail, { userId: undefined, ...body })
  }
}
