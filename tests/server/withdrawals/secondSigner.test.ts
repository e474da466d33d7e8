/** Two signers with one journal: the second waits until the first has ended, however that ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'signers-'))
const started: ServerProcess[] = []
afterAll(async () => {
  for (const one of started) await one.kill()
  rmSync(folder, { recursive: true, force: true })
})

it('takes over when the first is gone, not while it is stopped', async () => {
  const env = {
    DATABASE_URL: await freshDatabase(inject('postgresUrl')),
    ROLE: 'signer',
    SIGNER_JOURNAL: join(folder, 'signer.sqlite')
  }
  const start = async () => {
    const one = await startServer(env, { keepLog: true })
    started.push(one)
    return one
  }
  const first = await start()
  let second: ServerProcess | undefined
  const taking = start().then((one) => {
    second = one
    return one
  })
  process.kill(first.pid, 'SIGSTOP')
  await new Promise((resume) => setTimeout(resume, 4000))
  expect(second).toBeUndefined()
  process.kill(first.pid, 'SIGKILL')
  expect((await taking).log()).toContain('another signer has the journal: waiting until it ends')
})
