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
  const waiting = Promise.withResolvers<void>()
  const start = async () => {
    const one = await startServer(env, {
      onSaid: (said) => said.includes('another signer has the journal: waiting until it ends') && waiting.resolve()
    })
    started.push(one)
    return one
  }
  const first = await start()
  process.kill(first.pid, 'SIGSTOP')
  let second: ServerProcess | undefined
  const taking = start().then((one) => {
    second = one
  })
  await waiting.promise
  // As long as the first is only stopped, the second must not begin.
  await new Promise((resume) => setTimeout(resume, 3000))
  expect(second).toBeUndefined()
  process.kill(first.pid, 'SIGKILL')
  await taking
})
