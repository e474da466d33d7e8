/** What a review with fresh eyes has found at the desk: each as it was attacked. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inviteFirst, parseStaffKeys } from '#lib/server/staff/index.ts'
import { readDeskConfig } from '#lib/server/staff/settings.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { readWithdrawalsConfig } from '#lib/server/withdrawals/settings.ts'
import { createAuthenticator } from '#support/authenticator.ts'
import { DESK_ORIGIN, deskOf, type Member } from '#support/desk.ts'
import { resumeSending } from '#support/stops.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'As a review attacked it'
let test: TestApp
let desk: ReturnType<typeof deskOf>
let w: ReturnType<typeof withdrawalsOf>
let ada: Member
let bela: Member
let at = 0

beforeAll(async () => {
  test = await createTestApp()
  desk = deskOf(test)
  w = withdrawalsOf(test)
  await w.stock()
  ;[ada, bela] = await desk.admins()
})
beforeEach(() => test.pass(1))
afterAll(() => test.close())

/** Somebody new, so that no test stands in the way of another. */
const clerk = (role: 'support' | 'finance' | 'compliance' | 'admin') => {
  at += 1
  return desk.member([ada, bela], `${role}${at}`, [role])
}
const roles = (by: Member, id: string, given: string[]) =>
  by.call('proposeRoles', { params: { id }, body: { roles: given, why } })
const approve = (by: Member, id: string) => by.call('approveProposal', { params: { id }, body: { why } })
const stop = (by: Member, id: string) => by.call('stopPerson', { params: { id }, body: { why } })

/** Runs `act` while somebody holds the locks of `held`, and `meanwhile` in between. */
async function between<T>(held: ReturnType<typeof sql>, act: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  let acting: Promise<T> | undefined
  await test.app.context.db.transaction(async (tx) => {
    await tx.execute(held)
    acting = act()
    await new Promise((resume) => setTimeout(resume, 150))
    await meanwhile()
  })
  if (!acting) throw new Error('It did not begin')
  return acting
}

describe('an id in another spelling', () => {
  it('is the same person: nobody decides about themselves by it', async () => {
    const carl = await clerk('compliance')
    const dan = await clerk('admin')
    const id = dan.id.toUpperCase()
    expect((await stop(dan, id)).body.code).toBe('own_account')
    expect((await roles(dan, id, ['finance'])).body.code).toBe('own_account')
    const first = await roles(ada, carl.id, ['support'])
    expect((await roles(ada, carl.id.toUpperCase(), ['support'])).body.code).toBe('proposal_open')
    await ada.call('rejectProposal', { params: { id: first.body.data.proposalId }, body: { why } })
  })
})

describe('who was stopped', () => {
  it('decides nothing that they began before', async () => {
    const dora = await clerk('finance')
    const halt = () => dora.call('haltChain', { params: { chain: 'cpc' }, body: { why } })
    expect((await halt()).status).toBe(200)
    if (process.env.ENGINE !== 'postgres') return
    // The halt waits for the people's lock, as it would behind a stop that is being committed.
    const answer = await between(sql`select pg_advisory_xact_lock(727003)`, halt, async () => {
      await test.app.context.quickDb.execute(sql`update staff set stopped_at = now() where id = ${dora.id}`)
    })
    expect(answer.body.code).toBe('signed_out')
  })

  it('has approved nothing: the other person’s approval is the first', async () => {
    const [carl, fay, finn] = [await clerk('finance'), await clerk('compliance'), await clerk('finance')]
    const customer: Customer = await test.customer()
    await w.fund(customer, 'USDC', units('USDC', 20_000))
    const details = { party: 'self', name: 'Ada Lovelace' }
    const id = await w.confirmed(customer, 'USDC', units('USDC', 8_000), { details })
    const approved = (by: Member) => by.call('approveWithdrawal', { params: { id }, body: { why } })
    expect((await approved(carl)).status).toBe(200)
    await stop(ada, carl.id)
    expect((await approved(fay)).body.data.message).toContain('Another person')
    expect((await w.list(customer))[0].state).toBe('review')
    // Twenty rows that somebody made up push out no approval.
    for (let row = 0; row < 25; row += 1)
      await test.app.context.db.execute(
        sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at) values (${id}, 'approved', 'system:x', 'x', '{"key":"x","expires":"0"}', now())`
      )
    expect((await approved(finn)).body.data.message).toContain('The signer signs it next')
    const { signingOf } = test.app.chains
    await w.follow('ethereum')
    if (signingOf) await signApproved(test.app.context, test.app.chains.withdrawals, await signingOf('ethereum'))
    expect((await w.list(customer))[0].state).toBe('signed')
  })

  it('invited nobody: the link of an admin who was stopped opens nothing', async () => {
    const xavi = await clerk('admin')
    const body = { name: 'Mole', email: 'mole@desk.example', roles: ['admin'], why }
    const { proposalId } = (await xavi.call('proposeInvitation', { body })).body.data
    await approve(bela, proposalId)
    const token = await desk.tokenFor('mole@desk.example')
    await stop(ada, xavi.id)
    await expect(desk.join(token)).rejects.toThrow('invitation_invalid')
    // And one that is open is withdrawn by one admin.
    const { invitations } = (await ada.call('listPeople')).body.data
    const [open] = invitations.filter(({ email }: { email: string }) => email === body.email)
    expect((await ada.call('withdrawInvitation', { params: { id: open.id }, body: { why } })).status).toBe(200)
    expect((await desk.raw({ path: '/invitation', body: { token } })).body.code).toBe('invitation_invalid')
  })
})

describe('a proposal', () => {
  it('is not rejected by the person it is about, and not read without its right', async () => {
    const gus = await clerk('admin')
    const sue = await clerk('support')
    const { proposalId: id } = (await roles(ada, gus.id, ['support'])).body.data
    expect((await gus.call('rejectProposal', { params: { id }, body: { why } })).body.code).toBe('own_account')
    expect((await sue.call('getProposal', { params: { id } })).status).toBe(404)
    expect((await sue.call('listProposals')).body.data).toEqual([])
    expect((await sue.call('getOverview')).body.data.queues).toContainEqual(
      expect.objectContaining({ queue: 'proposals', count: 0 })
    )
    expect((await approve(bela, id)).status).toBe(200)
  })

  it('stays as it was proposed, whoever writes to the database', async () => {
    const sue = await clerk('support')
    const { proposalId: id } = (await roles(ada, sue.id, ['compliance'])).body.data
    for (const change of [
      sql`update staff_proposals set input = jsonb_set(input, '{roles}', '["finance"]') where id = ${id}`,
      sql`update staff_proposals set proposed_by = ${bela.id} where id = ${id}`,
      sql`delete from staff_proposals where id = ${id}`
    ])
      await expect(test.app.context.db.execute(change)).rejects.toMatchObject({
        cause: { message: expect.stringContaining('not changed') }
      })
    expect((await approve(bela, id)).status).toBe(200)
  })

  it('to resume ends no stop that nobody looked at', async () => {
    const finn = await clerk('finance')
    const halted = await finn.call('haltChain', { params: { chain: 'bitcoin' }, body: { why } })
    expect(halted.status).toBe(200)
    const future = { params: { chain: 'bitcoin' }, body: { why, upTo: '999999999' } }
    expect((await finn.call('proposeResume', future)).body.code).toBe('chain_not_halted')
    await resumeSending(test.app.context, 'bitcoin', { actor: { kind: 'system', id: 'test' }, why: 'Next test' })
  })
})

describe('a person', () => {
  it('is one, in whatever letters their name and address are written', async () => {
    const first = (name: string, email: string) => inviteFirst(test.app.context, { name, email })
    await first('Kim  One', 'Kim@Desk.example')
    for (const [name, email] of [
      ['Kim One', 'x1@desk.example'],
      ['kim one', 'x2@desk.example'],
      ['Other', 'kim@desk.example'],
      ['Other', 'KIM@desk.example']
    ] as const)
      await expect(first(name, email), `${name} ${email}`).rejects.toMatchObject({ code: 'person_exists' })
    await expect(first('Fi\u200bnn', 'y@desk.example')).rejects.toMatchObject({ code: 'invalid_fields' })
    await expect(first('Finn', 'fi\u200bnn@desk.example')).rejects.toMatchObject({ code: 'invalid_fields' })
  })

  it('is invited again once the first link is over', async () => {
    await inviteFirst(test.app.context, { name: 'Lea', email: 'lea@desk.example' })
    test.pass(72 * 3600 + 1)
    expect(await inviteFirst(test.app.context, { name: 'Lea', email: 'lea@desk.example' })).toMatchObject({
      token: expect.any(String)
    })
    for (const one of [ada, bela]) await desk.signIn(one)
  })

  it('has one name for all keys at the signer, and no key stands there twice', () => {
    const key = 'a'.repeat(64)
    const problems: string[] = []
    readWithdrawalsConfig({ OPERATOR_KEYS: `a:${key},b:${key}` }, { role: 'all', production: false, problems })
    expect(problems).toEqual([expect.stringContaining('the same key under two names')])
    const entry = { person: 'a@desk.example', key: 'k', publicKey: 'p', origin: 'https://desk.example' }
    const parse = (...entries: object[]) => parseStaffKeys(JSON.stringify(entries))
    expect(parse(entry)).toHaveLength(1)
    expect(() => parse(entry, { ...entry, person: 'b@desk.example', key: 'other' })).toThrow(
      'the same publicKey stands there twice'
    )
    expect(() => parse(entry, { ...entry, publicKey: 'other' })).toThrow('the same key stands there twice')
    expect(() => parse({ ...entry, person: 'b ' })).toThrow('by their e-mail')
    expect(() => parse({ ...entry, origin: 'https://desk.example/' })).toThrow('needs person')
  })
})

describe('what nobody sends by mistake', () => {
  it('is refused with a sentence, never with 500', async () => {
    const deep = `{"response":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`
    for (const [path, body, cookie] of [
      ['/sign-in', deep, undefined],
      ['/sign-in', '{"response":{"id":"\\u0000"}}', undefined],
      ['/passkey', '{"call":"approveWithdrawal","params":{"id":"x"}}', ada.cookie],
      ['/passkey', '{"call":"__proto__"}', ada.cookie],
      ['/people/invite', '{"name":"\\ud800x","email":"a@b.cd","roles":["support"],"why":"why"}', ada.cookie]
    ] as const)
      expect((await desk.raw({ path, body, ...(cookie && { cookie }) })).status, `${path} ${body.slice(0, 60)}`).toBeLessThan(500)
  })

  it('shows personal data thirty times an hour at most', async () => {
    const strict = await createTestApp({ env: { LIMIT_SCALE: '1' } })
    const door = deskOf(strict)
    const admins = await door.admins()
    const sue = await door.member(admins, 'Sue', ['support'])
    const customer = await strict.customer()
    const show = () => sue.call('showPersonalData', { params: { id: customer.userId }, body: { why } })
    for (let count = 0; count < 30; count += 1) expect((await show()).status).toBe(200)
    expect((await show()).status).toBe(429)
    await strict.close()
  })
})

describe('what a second review found', () => {
  it('takes no entry of another century, and none that is too long', async () => {
    const entry = (at: string, text: string) =>
      test.app.context.db.execute(sql`select staff_audit_append(${at}::timestamptz, 'x', 'x', 'x', ${text}, '{}')`)
    for (const [at, text] of [
      ['10000-01-01T00:00:00Z', 'x'],
      ['1999-01-01T00:00:00Z', 'x'],
      ['2026-01-01T00:00:00Z', 'x'.repeat(5000)]
    ] as const)
      await expect(entry(at, text)).rejects.toThrow()
  })

  it('brings nothing back that has ended', async () => {
    const dora = await clerk('support')
    await stop(ada, dora.id)
    for (const change of [
      sql`update staff set stopped_at = null where id = ${dora.id}`,
      sql`update staff_sessions set ended_at = null where staff_id = ${dora.id}`,
      sql`update staff_invitations set accepted_at = null where staff_id = ${dora.id}`
    ])
      await expect(test.app.context.db.execute(change)).rejects.toMatchObject({
        cause: { message: expect.stringContaining('not taken back') }
      })
  })

  it('shows no reason of others to who may not read the log, and lets one clerk hold an account once in three days', async () => {
    const [sue, cleo] = [await clerk('support'), await clerk('compliance')]
    const customer = await test.customer()
    const about = { params: { id: customer.userId } }
    await cleo.call('holdLonger', { ...about, body: { why: 'SECRET of John Doe', days: '5' } })
    const { holds } = (await cleo.call('getCustomer', about)).body.data
    await cleo.call('proposeRelease', { ...about, body: { why: 'SECRET police file', holdId: holds[0].id } })
    const timeline = async (by: Member) => JSON.stringify((await by.call('getCustomer', about)).body.data.timeline)
    expect(await timeline(sue)).not.toContain('SECRET')
    expect(await timeline(cleo)).toContain('SECRET police file')
    expect((await sue.call('holdAccount', { ...about, body: { why } })).body.code).toBe('held_before')
  })

  it('keeps a proposal open that somebody tried to approve while they were stopped', async () => {
    if (process.env.ENGINE !== 'postgres') return
    const dan = await clerk('admin')
    const sue = await clerk('support')
    const { proposalId: id } = (await roles(ada, sue.id, ['compliance'])).body.data
    const confirmed = await dan.confirm('approveProposal', { params: { id }, body: { why } })
    const answer = await between(
      sql`select pg_advisory_xact_lock(727003)`,
      () => dan.callWith('approveProposal', { params: { id }, body: { why } }, confirmed),
      async () => {
        await test.app.context.quickDb.execute(sql`update staff set stopped_at = now() where id = ${dan.id}`)
      }
    )
    expect(answer.body.code).toBe('signed_out')
    expect((await ada.call('getProposal', { params: { id } })).body.data.state).toBe('open')
    await ada.call('rejectProposal', { params: { id }, body: { why } })
  })

  it('asks for two persons where the signer sent an approval back, whatever the setting says', async () => {
    const [finn, fay] = [await clerk('finance'), await clerk('compliance')]
    const setTo = async (value: string) => {
      const set = await ada.call('proposeSetting', { params: { name: 'withdrawal_two_above' }, body: { value, why } })
      await approve(bela, set.body.data.proposalId)
    }
    // The house wants one, the signer two.
    await setTo('900000')
    const customer = await test.customer()
    await w.fund(customer, 'BTC', units('BTC', 1))
    const id = await w.confirmed(customer, 'BTC', units('BTC', 0.08), { details: { party: 'self', name: 'Ada Lovelace' } })
    const approved = async (by: Member) => (await by.call('approveWithdrawal', { params: { id }, body: { why } })).body
    const sign = async () => {
      const { signingOf } = test.app.chains
      await w.follow('bitcoin')
      if (signingOf) await signApproved(test.app.context, test.app.chains.withdrawals, await signingOf('bitcoin'))
      return (await w.list(customer))[0].state
    }
    expect((await approved(finn)).data.message).toContain('The signer signs it next')
    expect(await sign()).toBe('review')
    const shown = (await finn.call('getWithdrawal', { params: { id } })).body.data
    expect(shown).toMatchObject({
      personsNeeded: 2,
      approvals: 0,
      signs: expect.arrayContaining([expect.objectContaining({ sign: 'sent_back' })])
    })
    expect((await approved(finn)).data.message).toContain('Another person')
    // Rows that somebody made up with the id of a real key, before the next approval.
    for (let row = 0; row < 15; row += 1)
      await test.app.context.db.execute(sql`
        insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at)
        select ${id}, 'approved', 'system:x', 'x', jsonb_build_object('key', k.id, 'expires', '0'), now() from staff_keys k where k.staff_id = ${finn.id}`)
    expect((await approved(fay)).data.message).toContain('The signer signs it next')
    expect(await sign()).toBe('signed')
    await setTo('750000')
  })

  it('keeps only words that are known of what a browser says about a passkey', async () => {
    for (const transports of ['usb', { length: 3 }, [[1]], [1, 'x'.repeat(100_000)]]) {
      const key = createAuthenticator(DESK_ORIGIN)
      const { body: options } = await ada.call('getNewKeyOptions')
      const made = key.create(options.data)
      const response = { ...made, response: { ...made.response, transports } }
      expect((await ada.call('addKey', { body: { keyName: 'Odd', response } })).status).toBe(200)
    }
  })

  it('takes for the desk an address that passkeys can be bound to, and that is no part of the customers’', () => {
    const problemsOf = (DESK_URL: string) => {
      const problems: string[] = []
      readDeskConfig({ DESK_URL, PUBLIC_URL: 'https://wallet.example.com' }, { role: 'desk', production: true, problems })
      return problems
    }
    expect(problemsOf('https://desk.example.com')).toEqual([])
    for (const url of [
      'https://wallet.example.com',
      'https://wallet.example.com.',
      'https://example.com',
      'https://desk.example.com/path',
      'https://me:secret@desk.example.com',
      'https://10.0.0.1',
      'http://desk.example.com'
    ])
      expect(problemsOf(url), url).toHaveLength(1)
  })
})
