/** The desk's own door: invitations, passkeys, sessions, rights; and what neither a customer nor a stranger can do there. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeskCallName, deskCalls, deskPathOf, rulesOf } from '#lib/contract/desk/calls.ts'
import { inviteFirst, keysForSigner, parseStaffKeys } from '#lib/server/staff/index.ts'
import { createAuthenticator } from '#support/authenticator.ts'
import { DESK_ORIGIN, deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const NAMES = Object.keys(deskCalls) as DeskCallName[]
const ANY = '00000000-0000-4000-8000-000000000001'
const pathOf = (name: DeskCallName) =>
  deskPathOf(name, {
    id: ANY,
    number: 'ABCD0001',
    notice: '1',
    chain: 'bitcoin',
    name: 'withdrawal_two_above',
    day: '2026-01-01',
    currency: 'CPC'
  })

describe('the door of the desk', () => {
  let test: TestApp
  let desk: ReturnType<typeof deskOf>
  let ada: Member
  let bela: Member

  beforeAll(async () => {
    test = await createTestApp()
    desk = deskOf(test)
    ;[ada, bela] = await desk.admins()
  })
  afterAll(() => test.close())

  it('lets in who has a passkey of an invitation, and shows their rights', async () => {
    const { body } = await ada.call('getMe')
    expect(body.data).toMatchObject({ name: 'Ada', email: 'ada@desk.example', roles: ['admin'] })
    expect(body.data.rights).toContain('invite_person')
    expect(body.data.rights).not.toContain('approve_withdrawal')
    expect(body.data.keys).toHaveLength(1)
  })

  it('signs in again with the passkey alone, for eight hours', async () => {
    expect((await desk.signIn(bela)).status).toBe(200)
    test.pass(8 * 3600 + 1)
    expect((await bela.call('getMe')).body.code).toBe('signed_out')
    await desk.signIn(bela)
    await desk.signIn(ada)
    expect((await bela.call('getMe')).status).toBe(200)
  })

  it('keeps one session a person: signing in ends the one before', async () => {
    const before = bela.cookie
    await desk.signIn(bela)
    expect((await desk.raw({ method: 'GET', path: '/me', headers: { cookie: before } })).body.code).toBe('signed_out')
    expect((await bela.call('getMe')).status).toBe(200)
  })

  it('refuses a passkey that did not verify its user, another one, and an answer used twice', async () => {
    const options = async () => (await desk.raw({ path: '/sign-in/options' })).body.data
    const tried = (response: unknown) => desk.raw({ path: '/sign-in', body: { response } })
    expect((await tried(ada.authenticator.get(await options(), { verified: false }))).body.code).toBe('passkey_invalid')
    expect((await tried(createAuthenticator(DESK_ORIGIN).get(await options()))).body.code).toBe('passkey_invalid')
    const foreign = createAuthenticator('http://localhost:4321')
    expect(
      (await tried({ ...ada.authenticator.get(await options()), response: foreign.get(await options()).response })).body.code
    ).toBe('passkey_invalid')
    const answer = ada.authenticator.get(await options())
    expect((await tried(answer)).status).toBe(200)
    expect((await tried(answer)).body.code).toBe('passkey_invalid')
    await desk.signIn(ada)
  })

  it.each(NAMES.filter((name) => rulesOf(name).who === 'staff'))(
    '%s answers 401 to a customer, by bearer or cookie',
    async (name) => {
      const customer = await test.customer()
      const { method } = deskCalls[name]
      const tried: Record<string, string>[] = [
        {},
        { authorization: `Bearer ${customer.token}` },
        { cookie: `session=${customer.cookie}; desk=${customer.cookie}` }
      ]
      for (const headers of tried)
        expect((await desk.raw({ method, path: pathOf(name), headers })).body).toMatchObject({
          statusCode: 401,
          code: 'signed_out'
        })
    }
  )

  it('is no door to the customers: a session of staff opens nothing of theirs', async () => {
    const answer = await test.send('GET', '/users/profile', { token: ada.cookie, headers: { cookie: `session=${ada.cookie}` } })
    expect(answer.status).toBe(401)
    expect((await test.send('GET', '/overview', { headers: { cookie: `desk=${ada.cookie}` } })).status).toBe(404)
  })

  it('refuses a change from another origin, and one without any', async () => {
    for (const origin of ['http://localhost:4321', 'null', `${DESK_ORIGIN}:4322`])
      expect((await desk.raw({ path: '/sign-out', cookie: ada.cookie, headers: { origin } })).body.code).toBe('foreign_origin')
    expect((await ada.call('getMe')).status).toBe(200)
  })

  it('says what is wrong with what was sent, at the field', async () => {
    const { body } = await ada.callWith('proposeInvitation', { body: { name: 'X', email: 'no', roles: [], why: '' } }, {})
    expect(body).toMatchObject({ statusCode: 422, code: 'invalid_fields' })
    expect(Object.keys(body.fields).toSorted()).toEqual(['email', 'name', 'roles', 'why'])
    expect((await desk.raw({ path: '/sign-in', body: '{', headers: {} })).body.code).toBe('invalid_request')
    expect((await desk.raw({ path: '/nothing' })).status).toBe(404)
    expect((await desk.raw({ method: 'GET', path: '/sign-in' })).status).toBe(405)
  })

  describe('passkeys', () => {
    it('confirm one act with these values, once, within two minutes', async () => {
      const values = { params: { id: bela.id }, body: { why: 'To see whether it is refused' } }
      const confirmed = () => ada.confirm('stopPerson', values)
      expect((await ada.callWith('stopPerson', values, undefined)).body.code).toBe('passkey_needed')
      const other = { ...values, body: { why: 'Another reason' } }
      expect((await ada.callWith('stopPerson', other, await confirmed())).body.code).toBe('passkey_late')
      const another = { params: { id: ada.id }, body: values.body }
      expect((await ada.callWith('stopPerson', another, await confirmed())).body.code).toBe('passkey_late')
      expect((await bela.callWith('stopPerson', values, await confirmed())).body.code).toBe('passkey_late')
      const late = await confirmed()
      test.pass(121)
      expect((await ada.callWith('stopPerson', values, late)).body.code).toBe('passkey_late')
      const own = { params: { id: ada.id }, body: { why: 'Leaving' } }
      const once = await ada.confirm('stopPerson', own)
      expect((await ada.callWith('stopPerson', own, once)).body.code).toBe('own_account')
      expect((await ada.callWith('stopPerson', own, once)).body.code).toBe('passkey_late')
    })

    it('are added and removed by their person alone, and never the last one', async () => {
      const second = createAuthenticator(DESK_ORIGIN)
      const { body: options } = await ada.call('getNewKeyOptions')
      const values = { body: { keyName: 'Phone', response: second.create(options.data) } }
      expect((await ada.call('addKey', values)).status).toBe(200)
      const listed = await keysForSigner(test.app.context.db, 'ada@desk.example')
      expect(parseStaffKeys(JSON.stringify(listed))).toEqual(listed)
      expect(listed).toHaveLength(2)
      const { keys } = (await ada.call('getMe')).body.data
      expect(keys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone'])
      expect((await bela.call('removeKey', { params: { id: keys[1].id } })).body.code).toBe('not_found')
      expect((await ada.call('removeKey', { params: { id: keys[1].id } })).status).toBe(200)
      expect((await ada.call('removeKey', { params: { id: keys[0].id } })).body.code).toBe('last_key')
    })
  })

  describe('the first admins', () => {
    it('are two; later only the owner of the tables invites by the command line, which stays red for 30 days', async () => {
      expect((await ada.call('getOverview')).body.data.isMigrateInvitation).toBe(false)
      const third = await inviteFirst(test.app.context, { name: 'Cleo', email: 'cleo@desk.example' })
      expect(third).toMatchObject({ isOverride: true })
      expect((await ada.call('getOverview')).body.data.isMigrateInvitation).toBe(true)
      const { entries } = (await ada.call('listAudit')).body.data
      expect(entries[0]).toMatchObject({ act: 'invite_by_migrate_user', actor: 'system:command' })
    })

    it('stand in the log, which can be asked for one actor, act, subject or day', async () => {
      const ask = async (query: Record<string, string>) =>
        (await ada.call('listAudit', { query })).body.data.entries as Record<string, string>[]
      const all = await ask({})
      const one = all.find(({ act }) => act === 'join')
      if (!one) throw new Error('Nobody joined')
      const before = all.find(({ id }) => id === String(Number(one.id) - 1))
      expect(one.previous).toBe(before?.hash)
      const { act = '', actor = '', about = '', at = '' } = one
      for (const [query, of] of [
        [{ actor }, all.filter((entry) => entry.actor === actor)],
        [{ act }, all.filter((entry) => entry.act === act)],
        [{ about, act }, all.filter((entry) => entry.about === about && entry.act === act)],
        [{ day: at.slice(0, 10) }, all.filter((entry) => entry.at?.startsWith(at.slice(0, 10)))],
        [{ day: '2020-02-29' }, []]
      ] as const)
        expect(await ask(query)).toEqual(of)
      const refused = await ada.call('listAudit', { query: { day: '2026-02-30' } })
      expect(refused.status).toBe(422)
    })

    it('are persons of one name and one address', async () => {
      const again = (name: string, email: string) => inviteFirst(test.app.context, { name, email })
      await expect(again('ada', 'other@desk.example')).rejects.toMatchObject({ code: 'person_exists' })
      await expect(again('Other', 'ada@desk.example')).rejects.toMatchObject({ code: 'person_exists' })
      await expect(again('Cleo', 'x@desk.example')).rejects.toMatchObject({ code: 'person_exists' })
    })

    it('come by a link that works once, for three days', async () => {
      const invited = await inviteFirst(test.app.context, { name: 'Dora', email: 'dora@desk.example' })
      if (invited === 'refused') throw new Error('refused')
      const { token } = invited
      const dora = await desk.join(token)
      expect(dora.id).not.toBe('')
      expect((await desk.raw({ path: '/invitation', body: { token } })).body.code).toBe('invitation_invalid')
      const late = await inviteFirst(test.app.context, { name: 'Emil', email: 'emil@desk.example' })
      test.pass(72 * 3600 + 1)
      const answer = await desk.raw({ path: '/invitation', body: { token: late === 'refused' ? '' : late.token } })
      expect(answer.body.code).toBe('invitation_invalid')
      await desk.signIn(ada)
      await desk.signIn(bela)
    })
  })

  it('closes at once for who was stopped, whatever they hold', async () => {
    const [dora] = (await ada.call('listPeople')).body.data.people.filter(({ name }: { name: string }) => name === 'Dora')
    expect((await ada.call('stopPerson', { params: { id: dora.id }, body: { why: 'Left the company' } })).status).toBe(200)
    const { body } = await ada.call('listPeople')
    expect(body.data.people.find(({ name }: { name: string }) => name === 'Dora')).toMatchObject({ isHere: false })
    expect((await ada.call('stopPerson', { params: { id: dora.id }, body: { why: 'Once more' } })).body.code).toBe(
      'person_stopped'
    )
    const open = await test.app.context.db.execute(
      sql`select 1 from staff_sessions where staff_id = ${dora.id} and ended_at is null`
    )
    expect((open as unknown as { rows: unknown[] }).rows).toEqual([])
  })
})

describe('a new passkey in production', () => {
  it('signs in, but approves nothing for 24 hours', async () => {
    const test = await createTestApp({ env: { STAFF_KEY_REST_HOURS: '24' } })
    const desk = deskOf(test)
    const [ada, bela] = await desk.admins()
    const stop = () => ada.call('stopPerson', { params: { id: bela.id }, body: { why: 'To try the key' } })
    expect((await stop()).body.code).toBe('key_resting')
    test.pass(24 * 3600)
    await desk.signIn(ada)
    expect((await stop()).status).toBe(200)
    await test.close()
  })
})
