/** Makes a statement with the given number of lines; prints the time and the process's peak memory as JSON. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { readConfig } from '#lib/server/app/config.ts'
import { makeStatement } from '#lib/server/documents/statement.ts'
import { customerAccount, house, postMany } from '#lib/server/ledger/index.ts'
import { keysOf } from '#lib/server/platform/crypto.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { createLogs } from '#lib/server/platform/log.ts'

const [url = '', lines = '0'] = process.argv.slice(2)
const AT_ONCE = 500
const { db, close } = await openPostgres(url, { poolSize: 2, onLost: () => undefined, patient: true })
const config = readConfig({ LOG_LEVEL: 'silent' })
const context = {
  db,
  quickDb: db,
  longDb: db,
  clock: () => new Date(),
  ...keysOf('bench'),
  log: createLogs('silent').log,
  limitScale: 1,
  origin: '',
  wakeJobs: () => undefined
}
const userId = randomUUID()
await db.execute(sql`
  insert into users (id, email, password_hash, phone, referral_code, created_at, updated_at)
  values (${userId}, ${`${userId}@example.com`}, '', '', ${userId}, now(), now())`)
for (let left = Number(lines); left > 0; left -= AT_ONCE)
  await postMany(
    db,
    Array.from({ length: Math.min(left, AT_ONCE) }, () => ({
      reason: 'adjustment' as const,
      source: { type: 'adjustment' as const, id: 'bench' },
      reference: randomUUID(),
      actor: { kind: 'system' as const, id: 'bench' },
      transfers: [
        { source: house('treasury'), destination: customerAccount(userId, 'spot'), currency: 'PTC', amount: 12_345_678n }
      ],
      at: new Date()
    }))
  )
let most = 0
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss())
}, 50)
const began = performance.now()
const made = await makeStatement(context, {
  holder: { userId, email: 'bench@example.com', name: 'Ada Lovelace', locale: 'en' },
  period: `${new Date().getUTCFullYear()}-Q${Math.floor(new Date().getUTCMonth() / 3) + 1}`,
  after: 0n,
  until: 2n ** 62n,
  issuer: config.company,
  createdAt: new Date()
})
clearInterval(watch)
const rssMib = most / 1024 ** 2
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000, bytes: made.pdf.length, rssMib, lines: made.lines }))
await close()
