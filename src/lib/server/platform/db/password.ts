/** Replaces the password of a database user, so that a process that reads its address from a file goes on without a restart. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from 'node:fs'
import { dirname } from 'node:path'
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

type Opened = { client: pg.Client } | { isRefused: true }

/** Throws what keeps the database from being reached; a wrong password is no such thing. */
async function open(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { client }
  } catch (error) {
    await client.end().catch(() => undefined)
    if (error instanceof Error && 'code' in error && error.code === '28P01') return { isRefused: true }
    throw error
  }
}

async function isAccepted(url: string): Promise<boolean> {
  const opened = await open(url)
  if ('isRefused' in opened) return false
  await opened.client.end()
  return true
}

/** Whom an address means, without the password. */
const placeOf = (url: string) => {
  const { user, host, port, database } = new pg.Client({ connectionString: url })
  return JSON.stringify([user, host, port, database])
}

/** The same address with another password. Throws where the password does not stand before the `@`: then it would not be replaced. */
function withPassword(text: string, password: string): string {
  const url = new URL(text)
  url.password = password
  if (new pg.Client({ connectionString: url.href }).password !== password)
    throw new Error('The address must have its password before the @, as in postgres://user:password@host/database')
  return url.href
}

/** On the disk for certain, with the owner and the rights of `like`. */
function writeSafely(file: string, text: string, like: string): void {
  const { mode, uid, gid } = statSync(like)
  rmSync(file, { force: true })
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  chownSync(file, uid, gid)
  chmodSync(file, mode)
  syncFolder(file)
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The first number of the lock: one rotation of a user at a time, and none while the statement of one that died still waits for its standby. */
const ROTATION_LOCK = 727_002

/**
 * The user whose address `file` holds gets a new password, and the file the new address. The new address is kept as `FILE.next` before the
 * database knows it: whatever fails, one of the two files opens the database, and the next run finishes what this one began. Returns the user's
 * name. Throws what the database or the disk answered.
 */
export async function replacePassword(named: string): Promise<string> {
  const file = realpathSync(named)
  const next = `${file}.next`
  const present = readFileSync(file, 'utf8').trim()
  const user = new pg.Client({ connectionString: present }).user ?? ''
  const opened = await open(present)
  if ('isRefused' in opened) {
    const begun = readNext(next)
    if (begun === undefined || placeOf(begun) !== placeOf(present) || !(await isAccepted(begun)))
      throw new Error(
        `password authentication failed for user "${user}", and ${next} holds no other address that opens the database`
      )
    renameSync(next, file)
    syncFolder(file)
    return user
  }
  const { client } = opened
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext(current_user)) as ours', [ROTATION_LOCK])
    if (!rows[0]?.ours)
      throw new Error(`Another rotation of ${user} is at work, or one that was ended still waits for a standby: try again later`)
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    const url = withPassword(present, password)
    writeSafely(next, `${url}\n`, file)
    await client.query(`alter role current_user password '${scramSecret(password)}'`)
    if (!(await isAccepted(url))) throw new Error('The database does not accept the new password: is its method scram-sha-256?')
    renameSync(next, file)
    syncFolder(file)
    return user
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Undefined if there is no such file. Throws if it cannot be read: it may hold the only password. */
function readNext(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
