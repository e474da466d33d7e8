/** Replaces the password of a database user, so that a process that reads its address from a file goes on without a restart. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import pg from 'pg'

const ITERATIONS = 4096
const SHA = 'sha256'
const PASSWORD_BYTES = 32

/**
 * What PostgreSQL keeps of a password, computed here: the password itself never reaches the server, nor its log. Source: RFC 5803, and
 * `scram_build_secret` of PostgreSQL. The password is of letters, digits, `-` and `_`, so SASLprep changes nothing.
 */
export function scramSecret(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, SHA)
  const keyOf = (name: string) => createHmac(SHA, salted).update(name).digest()
  const stored = createHash(SHA).update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const isAccepted = (url: string) =>
  withClient(url, async () => true).catch((error: { code?: string }) => {
    // Wrong password. Anything else says nothing about it.
    if (error.code === '28P01') return false
    throw error
  })

/**
 * The user whose address `file` holds gets a new password, and the file the new address. The new address is kept as `FILE.next` before the
 * database knows it: whatever fails, one of the two files opens the database. Returns the user's name. Throws what the database or the disk
 * answered; then both files say what is true by whether they connect, and the next run finishes what this one began.
 */
export async function replacePassword(file: string): Promise<string> {
  const next = `${file}.next`
  const url = new URL(readFileSync(file, 'utf8').trim())
  const begun = readNext(next)
  if (begun !== undefined && (await isAccepted(begun))) {
    renameSync(next, file)
    return url.username
  }
  url.password = randomBytes(PASSWORD_BYTES).toString('base64url')
  rmSync(next, { force: true })
  writeFileSync(next, `${url}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(next, statSync(file).mode)
  const present = readFileSync(file, 'utf8').trim()
  await withClient(present, (client) => client.query(`alter role current_user password '${scramSecret(url.password)}'`))
  if (!(await isAccepted(url.toString())))
    throw new Error('The database does not accept the new password: is its method scram-sha-256?')
  renameSync(next, file)
  return url.username
}

function readNext(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
