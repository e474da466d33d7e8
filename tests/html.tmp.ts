import { mkdtempSync, writeFileSync } from 'node:fs'
import { startServer } from './support/serverProcess.ts'
import { signUpAt } from './support/visitor.ts'

const server = await startServer({ DATA_DIR: mkdtempSync('/tmp/html-') })
const v = await signUpAt(server.url)
for (const p of ['/dashboard', '/token-list?all'])
  writeFileSync(
    `/tmp/${p.replace(/\W/g, '_')}.html`,
    await (await fetch(server.url + p, { headers: { cookie: v.cookie } })).text()
  )
await server.stop()
