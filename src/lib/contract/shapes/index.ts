/**
 * The shape of every call's input and answer. The server validates with these; the browser imports only the types
 * derived from them (`contract/types.ts`), so that it loads no schema library.
 */
import type { z } from '@hono/zod-openapi'
import type { CallName } from '../calls.ts'
import { accessShapes } from './access.ts'
import { activityShapes } from './activity.ts'
import { depositsShapes } from './deposits.ts'
import { documentsShapes } from './documents.ts'
import { helpShapes } from './help.ts'
import { identityShapes } from './identity.ts'
import { newsShapes } from './news.ts'
import { noticesShapes } from './notices.ts'
import { ordersShapes } from './orders.ts'
import { p2pShapes } from './p2p.ts'
import { referralShapes } from './referral.ts'
import { stakingShapes } from './staking.ts'
import { walletShapes } from './wallet.ts'
import { withdrawalsShapes } from './withdrawals.ts'

export type Shape = { summary: string; params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }

export const shapes = {
  ...accessShapes,
  ...identityShapes,
  ...walletShapes,
  ...ordersShapes,
  ...depositsShapes,
  ...withdrawalsShapes,
  ...p2pShapes,
  ...stakingShapes,
  ...referralShapes,
  ...newsShapes,
  ...noticesShapes,
  ...activityShapes,
  ...documentsShapes,
  ...helpShapes
} satisfies Record<CallName, Shape>
export type Shapes = typeof shapes
