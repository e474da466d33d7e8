/** Reads tokens that we have signed, under each secret that counts now. */
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'

const ALGORITHMS = ['HS256']

/** Throws where no key fits, as `jwtVerify` does with the first one. */
export async function verifyToken(token: string, keys: Uint8Array[], options: JWTVerifyOptions = {}): Promise<JWTPayload> {
  const [first, ...others] = keys
  if (!first) throw new Error('There is no key')
  try {
    return (await jwtVerify(token, first, { ...options, algorithms: ALGORITHMS })).payload
  } catch (error) {
    if (others.length === 0) throw error
    return verifyToken(token, others, options)
  }
}
