/** The operator's commands, as an operator runs them: each a separate process on the product's database. */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { builtProduct } from '#support/builtProduct.ts'
import { camt, ntry } from '#support/camt.ts'
import { freshDatabase } from '#support/databases.ts'
import { NODE_ENVIRONMENT } from '#support/nodeEnvironment.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

/** Without the source: what a command reads must be in the build. */
const product = builtProduct()
const folder = mkdtempSync(join(tmpdir(), 'wallet-tools-'))
let databaseUrl: string
let server: ServerProcess

beforeAll(async () => {
  databaseUrl = await freshDatabase(inject('postgresUrl'), { empty: true })
  server = await startServer({ DATABASE_URL: databaseUrl }, { root: product.folder })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  product.remove()
})

const run = (tool: string, ...args: string[]) => runWith({}, tool, ...args)

function runWith(
  settings: Record<string, string>,
  tool: string,
  ...args: string[]
): { code: number | null; said: string; complained: string } {
  const env = { ...NODE_ENVIRONMENT, DATABASE_URL: databaseUrl, ...settings }
  const done = spawnSync(process.execPath, ['run.mjs', tool, ...args], { cwd: product.folder, env, encoding: 'utf8' })
  return { code: done.status, said: done.stdout, complained: done.stderr }
}

async function sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

function fileOf(entries: string[]): string {
  const file = join(folder, `${randomUUID()}.xml`)
  writeFileSync(file, camt(entries))
  return file
}

describe('npm run', () => {
  const { scripts } = JSON.parse(readFileSync(join(product.folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = Object.values(scripts).flatMap((script) => /^node (?:--\S+ )*run\.mjs (\w+)$/.exec(script)?.[1] ?? [])

  it('has a command for each program of the build, and the reverse', () => {
    const built = readdirSync(join(product.folder, 'dist/server/process')).map((name) => name.replace(/\.mjs$/, ''))
    expect(commands.toSorted()).toEqual(built.toSorted())
  })

  it.each(commands.filter((name) => name !== 'server'))('%s runs from the build', (name) => {
    const { code, said, complained } = run(name)
    expect([0, 1, 2]).toContain(code)
    expect(said + complained).not.toMatch(/not built|ERR_|ENOENT|Cannot find/)
  })

  it('says that it is not built, for another name', () => {
    expect(run('nothing')).toMatchObject({ code: 1, complained: expect.stringContaining('not built') })
  })
})

describe('staff', () => {
  it('invites the first admins, names who works at the desk, and the log is whole', () => {
    expect(run('staff', 'list').said).toContain('Nobody works at the desk yet')
    const invited = run('staff', 'invite', 'Ada', 'Ada@Desk.example')
    expect(invited.said).toMatch(/^http:\/\/desk\.localhost:4322\/join#[\w-]{43}$/m)
    expect(run('staff', 'invite', 'Ada', 'other@desk.example')).toMatchObject({
      code: 1,
      complained: expect.stringContaining('already')
    })
    expect(run('staff', 'invite', 'Bela', 'bela@desk.example').said).not.toContain('red there')
    expect(run('staff', 'invite', 'Cleo', 'cleo@desk.example').said).toContain('red there for 30 days')
    expect(run('staff', 'invite', 'Dora', 'no')).toMatchObject({ code: 2 })
    expect(run('staff', 'keys', 'ada@desk.example')).toMatchObject({
      code: 1,
      complained: expect.stringContaining('Nobody with this e-mail works at the desk with a passkey')
    })
    expect(run('verifyAudit')).toMatchObject({ code: 0, said: expect.stringContaining('The audit log is whole') })
  })
})

describe('bank:read', () => {
  it('prints what each entry would do, and does none of it', async () => {
    const { token } = await signUpAt(server.url)
    const body = { comboConfigId: 19, bankAccountId: 1 }
    const { id, euroToPay } = (await (await postJson(server.url, '/orders/combo', body, token)).json()).data
    const good = fileOf([ntry({ ref: 'A', amount: euroToPay, text: id }), ntry({ ref: 'B', amount: '5.00', text: 'rent' })])
    const { code, said } = run('readBankFile', good)
    const [statement] = JSON.parse(said).statements
    expect(statement.entries).toMatchObject([
      { outcome: 'matched', orderId: id },
      { outcome: expect.not.stringMatching('matched') }
    ])
    expect(code).toBe(0)
    expect(await sql('select 1 from payments')).toEqual([])
    // The only bookings are deposits, with which the sandbox fills its hot wallets.
    expect(await sql("select 1 from ledger_transactions where source_type <> 'deposit'")).toEqual([])
  })

  it('names an entry that it cannot read, beside the good ones, and ends with 1', () => {
    const { code, said } = run('readBankFile', fileOf([ntry({ ref: 'A', amount: '1,00' }), ntry({ ref: 'B', amount: '5.00' })]))
    const [statement] = JSON.parse(said).statements
    expect(statement.entries).toHaveLength(2)
    expect(statement.entries[0]).toMatchObject({ unreadable: expect.stringContaining('1,00') })
    expect(statement.entries[1]).toMatchObject({ amountCents: '500' })
    expect(code).toBe(1)
  })

  it('asks for a file where none is named', () => {
    expect(run('readBankFile')).toMatchObject({ code: 1, complained: expect.stringContaining('Name the file') })
  })
})

describe('payments', () => {
  const arrive = async (orderId: string, arrival: string) => {
    const body = new URLSearchParams({ order: orderId, arrival })
    await fetch(`${server.url}/sandbox`, { method: 'POST', body, headers: { origin: server.url }, redirect: 'manual' })
    const [payment] = await sql<{ id: string }>('select id from payments where order_id = $1 order by id desc', [orderId])
    return payment?.id ?? ''
  }
  const order = async () => {
    const { token } = await signUpAt(server.url)
    const { data } = await (await postJson(server.url, '/orders/combo', { comboConfigId: 19, bankAccountId: 1 }, token)).json()
    return data.id as string
  }

  it('lists what waits', async () => {
    expect(run('payments', 'list')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Every payment is matched or decided.')
    })
    const payment = await arrive(await order(), 'less')
    expect(run('payments', 'list').said).toContain(`${payment}  `)
  })

  it('decides nothing: that is done at the desk', () => {
    for (const args of [
      ['refund', '1', '--by', 'anna', '--why', 'x'],
      ['assign', '1', 'RF1', '--by', 'anna', '--why', 'x'],
      ['drop', '1'],
      []
    ])
      expect(run('payments', ...args)).toMatchObject({ code: 2, complained: expect.stringContaining('npm run payments -- list') })
  })
})

describe('jobs', () => {
  it('says that none failed, and lists one that failed for good with its reason', async () => {
    expect(run('jobs')).toMatchObject({ code: 0, said: expect.stringContaining('No job failed for good.') })
    await sql(
      `insert into jobs (kind, payload, run_at, created_at, tries, failed_at, last_error)
       values ('mail', '{"name":"code"}', now(), now(), 12, now(), 'the mail server said no')`
    )
    const { code, said } = run('jobs')
    expect(said).toMatch(/mail failed for good at .* after 12 tries: the mail server said no/)
    expect(said).toContain('{"name":"code"}')
    expect(code).toBe(1)
  })
})

describe('fund', () => {
  it('says what the fund of staking rewards will need', async () => {
    const { token } = await signUpAt(server.url)
    const body = { comboConfigId: 84, bankAccountId: 1 }
    const { id } = (await (await postJson(server.url, '/orders/combo', body, token)).json()).data
    const paid = new URLSearchParams({ order: id, arrival: 'exact' })
    await fetch(`${server.url}/sandbox`, { method: 'POST', body: paid, headers: { origin: server.url }, redirect: 'manual' })

    const listed = run('fund', 'list')
    expect(listed.said).toContain('PTC  in the fund 0  due within 100 days')
    expect(listed.said).toContain('NOT ENOUGH')
    expect(listed.code, 'nothing is due yet').toBe(0)
  })

  it('is filled at the desk alone, as every other decision that the desk has', () => {
    for (const [tool, ...args] of [
      ['fund', 'fund', 'PTC', '1', '--why', 'x'],
      ['fund', 'cancel', 'RF1', '--why', 'x'],
      ['prices', 'confirm', 'BTC', '1', '--why', 'x'],
      ['chains', 'stop', 'bitcoin', '--why', 'x'],
      ['suspense', 'keep', 'deposit:1', '--why', 'x'],
      ['withdrawals', 'resume', 'bitcoin', '--why', 'x']
    ] as const)
      expect(run(tool, ...args), `${tool} ${args[0]}`).toMatchObject({ code: 2, complained: expect.stringContaining('-- list') })
  })
})

describe('a decision by a key file', () => {
  const keyOf = (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const file = join(folder, `${name}.pem`)
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
    return { file, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex') }
  }
  const person = async (name: string, roles: string) => {
    const email = `${name}@desk.example`
    await sql(`insert into staff (id, name, email, roles, created_at) values (gen_random_uuid(), $1, $2, $3::text[], now())`, [
      name,
      email,
      `{${roles}}`
    ])
    return email
  }

  it('is made as the person whom OPERATOR_KEYS names, with the rights that they have at the desk, and is kept in the log', async () => {
    const keys = { fay: keyOf('fay'), sam: keyOf('sam'), eve: keyOf('eve') }
    const [fay, sam] = [await person('fay', 'finance'), await person('sam', 'support')]
    const env = {
      OPERATOR_KEYS: `${fay}:${keys.fay.publicKey},${sam}:${keys.sam.publicKey},nobody@desk.example:${keys.eve.publicKey}`
    }
    const halt = (file: string, given = env) =>
      runWith(given, 'withdrawals', 'halt', 'ethereum', '--as', file, '--why', 'The node lies')
    const stops = () => sql<{ actor: string }>("select actor from chain_stops where chain = 'ethereum'")

    expect(halt(keys.sam.file)).toMatchObject({ code: 1, complained: expect.stringContaining('the right halt_chain is missing') })
    expect(halt(keys.eve.file)).toMatchObject({ code: 1, complained: expect.stringContaining('Nobody of the desk') })
    expect(halt(keys.fay.file, { OPERATOR_KEYS: '' })).toMatchObject({
      code: 1,
      complained: expect.stringContaining('does not name')
    })
    expect(halt(join(folder, 'none.pem'))).toMatchObject({
      code: 1,
      complained: expect.stringContaining('no Ed25519 private key')
    })
    expect(runWith(env, 'withdrawals', 'halt', 'ethereum', '--as', keys.fay.file)).toMatchObject({ code: 2 })
    expect(await stops()).toEqual([])

    expect(halt(keys.fay.file)).toMatchObject({ code: 0, said: expect.stringContaining('Nothing is signed or sent on ethereum') })
    const [who] = await sql<{ id: string }>('select id from staff where email = $1', [fay])
    expect(await stops()).toEqual([{ actor: `staff:${who?.id}` }])
    expect(await sql('select actor, act, why, details from staff_audit order by id desc limit 1')).toEqual([
      {
        actor: `staff:${who?.id}`,
        act: 'command:halt',
        why: 'The node lies',
        details: expect.stringContaining('ethereum')
      }
    ])
    await sql('update staff set stopped_at = now() where email = $1', [fay])
    expect(halt(keys.fay.file), 'who was stopped at the desk is stopped here').toMatchObject({ code: 1 })
  })
})
