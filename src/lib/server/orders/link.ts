import type { Context } from '../platform/context.ts'

/** The link in the mails about an order. */
export function orderLink({ origin }: Pick<Context, 'origin'>, orderId: string): string {
  return `${origin}/package-history?tab=order&order=${orderId}`
}
