import type { helpCalls } from '#lib/contract/help.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { writeToSupport } from './write.ts'

export function helpHandlers(context: Context, supportEmail: string): Handlers<keyof typeof helpCalls> {
  return {
    writeToSupport: ({ customer: { email, userId }, body }) => writeToSupport(context, supportEmail, { email, userId, ...body }),
    writeToSupportAsVisitor: ({ body }) => writeToSupport(context, supportEmail, { userId: undefined, ...body })
  }
}
