import type { documentsCalls } from '#lib/contract/documents.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { listDocuments } from './read.ts'
import { verifyReceipt } from './verifyReceipt.ts'

export function documentHandlers(context: Context): Handlers<keyof typeof documentsCalls> {
  return {
    listDocuments: ({ customer }) => listDocuments(context, customer),
    verifyReceipt: ({ body }) => verifyReceipt(context, body.code)
  }
}
