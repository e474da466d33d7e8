/** Looks a session up, by page cookie or by access token. */

import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken } from '../../platform/crypto.ts'
import { sessionReads } from './reads.ts'
import { readAccessToken } from './tokens.ts'

function unexpired(context: Context, row: Customer | undefined): Customer | undefined {
  return row && row.expiresAt > context.clock() ? row : undefined
}

/** The customer of a page cookie; `undefined` for a forged, expired or ended one. */
export async function findByCookie(context: Context, cookie: string): Promise<Customer | undefined> {
  const [row] = await sessionReads(context.db).byCookie.execute({ hash: hashToken(cookie) })
  return unexpired(context, row)
}

/** The customer of a bearer token; `undefined` for a forged or expired one, or of an ended session. */
export async function findByAccessToken(context: Context, token: string): Promise<Customer | undefined> {
  const id = await readAccessToken(context, token)
  if (!id) return undefined
  const [row] = await sessionReads(context.db).byId.execute({ id })
  return unexpired(context, row)
}
