/** `npm run rotate`: new passwords and keys in place of those in use. What each of them is for: docs/keys.md. */
import { createHash, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { replacePassword } from '../platform/db/password.ts'
import { publicKeyOf } from '../platform/ed25519.ts'
import { PERSON } from '../staff/index.ts'

const USAGE = `npm run rotate -- database FILE      the database user of FILE, which a process has as DATABASE_URL_FILE
npm run rotate -- bitcoin-node USER   a line for bitcoin.conf, and the password that belongs to it
npm run rotate -- node-proxy USER     a line for the password file of nginx in front of an Ethereum or CPC node, and the password
npm run rotate -- operator EMAIL FILE a key of a person, in a new FILE, and its part of OPERATOR_KEYS

SECRET is replaced by SECRET_ALSO, passkeys at the desk (page You): docs/operations.md, "Keys other than the seed".`

/** As `share/rpcauth/rpcauth.py` of Bitcoin Core makes it. */
function rpcAuth(user: string): { line: string; password: string } {
  const [password, salt] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('hex')]
  return { password, line: `rpcauth=${user}:${salt}$${createHmac('sha256', salt).update(password).digest('hex')}` }
}

/** As nginx checks it (`auth_basic_user_file`). A salted SHA-1 is enough for a password of 256 random bits, and for no other. */
function proxyAuth(user: string): { line: string; password: string } {
  const [password, salt] = [randomBytes(32).toString('base64url'), randomBytes(8)]
  const digest = createHash('sha1').update(password).update(salt).digest()
  return { password, line: `${user}:{SSHA}${Buffer.concat([digest, salt]).toString('base64')}` }
}

async function rotate([what, first, second, ...more]: string[]): Promise<number> {
  if (what === 'database' && first && second === undefined) {
    const user = await replacePassword(first)
    console.log(
      `${user} has a new password, which ${first} holds. Processes that read it from there go on; restart those that do not.`
    )
    return 0
  }
  if (what === 'bitcoin-node' && first && /^[\w-]{1,40}$/.test(first) && second === undefined) {
    const { line, password } = rpcAuth(first)
    console.log(`${line}\n`)
    console.log(`1. Add this line to bitcoin.conf, beside the present one, and restart the node: both passwords open it.
2. Restart worker and signer with BITCOIN_RPC_URL=http://${first}:${password}@HOST:8332/
3. Take the old line out of bitcoin.conf, and restart the node.`)
    return 0
  }
  if (what === 'node-proxy' && first && /^[\w-]{1,40}$/.test(first) && second === undefined) {
    const { line, password } = proxyAuth(first)
    console.log(`${line}\n`)
    console.log(`1. Add this line to the file of auth_basic_user_file. USER must be another one than at present: both are let in then.
2. Restart worker and signer with https://${first}:${password}@HOST/ as ETHEREUM_RPC_URL or CPC_API_URL, with its path.
3. Take the old line out of the file.`)
    return 0
  }
  if (what === 'operator' && first && PERSON.test(first) && second && more.length === 0) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(second, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o400, flag: 'wx' })
    console.log(`${first.toLowerCase()}:${publicKeyOf(privateKey)}\n`)
    console.log(`1. Add this to OPERATOR_KEYS, after a comma, beside the person's present key, and restart the signer: both count, as one person.
2. Decide once with --as ${second}.
3. Take the old key out of OPERATOR_KEYS, restart the signer, and destroy the old file.`)
    return 0
  }
  console.error(USAGE)
  return 2
}

try {
  process.exitCode = await rotate(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
