import type { activityCalls } from '#lib/contract/activity.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { listActivity } from './read.ts'

/** `sources`: the lines that the features registered. */
export function activityHandlers(context: Context, sources: ActivitySource[]): Handlers<keyof typeof activityCalls> {
  return { listActivity: ({ customer, query }) => listActivity(context, sources, customer, query) }
}
