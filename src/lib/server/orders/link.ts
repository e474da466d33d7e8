import type { Context } from '../platform/context.ts'

/** Where the mails about an order lead. */
export function orderLink({ origin }: Pick<Context, 'origin'>, orderId: string): string {
  return `${origin}/package-history?tab=order&order=${orderId}`
}
