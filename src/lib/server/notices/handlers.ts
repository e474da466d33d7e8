import type { noticesCalls } from '#lib/contract/notices.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { countNotices, listNotices, seeNotices } from './read.ts'

export function noticeHandlers(context: Context): Handlers<keyof typeof noticesCalls> {
  return {
    countNotices: ({ customer }) => countNotices(context, customer),
    listNotices: ({ customer, query }) => listNotices(context, customer, query),
    seeNotices: ({ customer, body }) => seeNotices(context, customer, body)
  }
}
