/** The link by which a customer confirms a new address. */
import { SignJWT } from 'jose'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { verifyToken } from '../platform/signedToken.ts'

const ALGORITHM = 'HS256'
export const CONFIRM_SECONDS = 24 * 3600

/**
 * The link of the mail about a new address. Its page acts only when a button is pressed, because mail programs open links by themselves.
 */
export async function confirmLink({ keyFor, clock, origin }: Context, id: string): Promise<string> {
  const nowSeconds = Math.floor(clock().getTime() / 1000)
  const token = await new SignJWT({ withdrawal: id })
    .setProtectedHeader({ alg: ALGORITHM })
    .setExpirationTime(nowSeconds + CONFIRM_SECONDS)
    .sign(keyFor('withdrawal-address'))
  return `${origin}/withdraw-confirm?token=${token}`
}

/** The id of the withdrawal. Throws `link_invalid`. */
export async function readLinkToken({ keysFor, clock }: Context, token: string): Promise<string> {
  try {
    const payload = await verifyToken(token, keysFor('withdrawal-address'), { currentDate: clock() })
    if (typeof payload.withdrawal === 'string') return payload.withdrawal
  } catch {
    // Forged, expired or no token at all: the answer is the same.
  }
  throw new AppError('link_invalid')
}
