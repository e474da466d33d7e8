/** What two persons decide: tried and taken back, compared, and never by one alone. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStops, stopChain } from '#lib/server/chains/index.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

describe('a proposal', () => {
  let test: TestApp
  let desk: ReturnType<typeof deskOf>
  let ada: Member
  let bela: Member
  let finn: Member
  let fay: Member

  beforeAll(async () => {
    test = await createTestApp()
    desk = deskOf(test)
    ;[ada, bela] = await desk.admins()
    finn = await desk.member([ada, bela], 'Finn', ['finance'])
    fay = await desk.member([ada, bela], 'Fay', ['finance', 'compliance'])
  })
  afterAll(() => test.close())

  const halt = async (why: string) => {
    await stopChain(test.app.context, 'bitcoin', { actor: { kind: 'system', id: 'custody' }, why }, 'sending')
    return (await openStops(test.app.context.db, 'bitcoin', 'sending')).at(-1)?.id.toString() ?? ''
  }
  const resume = (by: Member, upTo: string) =>
    by.call('proposeResume', { params: { chain: 'bitcoin' }, body: { why: 'The node is back', upTo } })
  const approve = (by: Member, id: string) => by.call('approveProposal', { params: { id }, body: { why: 'Looked at it' } })
  const reject = (by: Member, id: string) => by.call('rejectProposal', { params: { id }, body: { why: 'Not this way' } })
  const stops = () => openStops(test.app.context.db, 'bitcoin', 'sending')
  const shown = async (by: Member, id: string) => (await by.call('getProposal', { params: { id } })).body.data
  const clear = () =>
    test.app.context.db.execute(sql`update chain_stops set resumed_at = now(), resumed_by = 'system:test', resumed_why = 'test'`)

  it('is tried and taken back, and carried out by another person, who sees the plan and the facts', async () => {
    const upTo = await halt('coins are missing')
    const { body } = await resume(finn, upTo)
    expect(await stops()).toHaveLength(1)
    const { proposalId: id } = body.data
    expect(await shown(fay, id)).toMatchObject({
      act: 'resume_chain',
      proposedBy: 'Finn',
      state: 'open',
      plan: [{ what: `Stop ${upTo} ends`, value: 'coins are missing' }],
      facts: [{ fact: `stop ${upTo}`, before: 'coins are missing', now: 'coins are missing', isChanged: false }],
      mayDecide: true
    })
    expect(await shown(finn, id)).toMatchObject({ mayDecide: false })
    expect((await approve(fay, id)).status).toBe(200)
    expect(await stops()).toEqual([])
    expect(await shown(finn, id)).toMatchObject({ state: 'approved', decidedBy: 'Fay' })
    expect((await approve(ada, id)).body.code).toBe('proposal_over')
  })

  it('is never approved by who made it, whatever roles they have; the database says so, too', async () => {
    const upTo = await halt('coins are missing')
    const { proposalId: id } = (await resume(fay, upTo)).body.data
    expect((await approve(fay, id)).body.code).toBe('own_proposal')
    const bySql = test.app.context.db.execute(
      sql`update staff_proposals set state = 'approved', decided_by = proposed_by, decided_at = now() where id = ${id}`
    )
    await expect(bySql).rejects.toMatchObject({ cause: { constraint: 'staff_proposals_by_another' } })
    expect(await stops()).toHaveLength(1)
    expect((await reject(fay, id)).status).toBe(200)
    await clear()
  })

  it('is refused with what changed, and can be proposed again', async () => {
    const upTo = await halt('coins are missing')
    const { proposalId: id } = (await resume(finn, upTo)).body.data
    await test.app.context.db.execute(sql`update chain_stops set why = 'another reason' where id = ${BigInt(upTo)}`)
    expect(await shown(fay, id)).toMatchObject({
      facts: [{ before: 'coins are missing', now: 'another reason', isChanged: true }]
    })
    const { body } = await approve(fay, id)
    expect(body).toMatchObject({ code: 'facts_changed' })
    expect(body.message).toContain(`stop ${upTo} was coins are missing and is another reason`)
    expect(await stops()).toHaveLength(1)
    const again = await fay.call('repeatProposal', { params: { id }, body: { why: 'With the facts of now' } })
    expect(await shown(finn, id)).toMatchObject({ state: 'replaced' })
    expect((await approve(finn, again.body.data.proposalId)).status).toBe(200)
    expect(await stops()).toEqual([])
  })

  it('leaves a stop that came after the look', async () => {
    const upTo = await halt('first')
    const { proposalId: id } = (await resume(finn, upTo)).body.data
    await halt('second')
    expect((await approve(ada, id)).status).toBe(200)
    expect((await stops()).map(({ why }) => why)).toEqual(['second'])
    await clear()
  })

  it('is made once: the same act about the same thing waits for its decision', async () => {
    const upTo = await halt('coins are missing')
    const both = await Promise.all([resume(finn, upTo), resume(fay, upTo)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [made] = both.filter(({ status }) => status === 200)
    const id = made?.body.data.proposalId
    // Eight at once: it is carried out once.
    const other = (await shown(finn, id)).proposedBy === 'Finn' ? fay : finn
    const all = await Promise.all(Array.from({ length: 8 }, (_, at) => approve(at % 2 ? ada : other, id)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await stops()).toEqual([])
  })

  it('ends after a day', async () => {
    const upTo = await halt('coins are missing')
    const { proposalId: id } = (await resume(finn, upTo)).body.data
    test.pass(24 * 3600 + 1)
    for (const one of [ada, bela, finn, fay]) await desk.signIn(one)
    expect((await approve(fay, id)).body.code).toBe('proposal_over')
    expect(await shown(fay, id)).toMatchObject({ state: 'lapsed' })
    await clear()
  })

  it('is refused where the act is refused by now, and says why', async () => {
    const upTo = await halt('coins are missing')
    const { proposalId: id } = (await resume(finn, upTo)).body.data
    await clear()
    // Its fact is gone, which is said first.
    expect((await approve(fay, id)).body.code).toBe('facts_changed')
    const invitation = { name: 'Gus', email: 'gus@desk.example', roles: ['support'], why: 'New' }
    const { proposalId } = (await ada.call('proposeInvitation', { body: invitation })).body.data
    await desk.firstAdmin('Gus')
    expect((await approve(bela, proposalId)).body).toMatchObject({
      code: 'act_refused',
      params: { why: 'There is a person with this name or e-mail already.' }
    })
    expect(await shown(ada, proposalId)).toMatchObject({
      state: 'failed',
      decisionWhy: 'There is a person with this name or e-mail already.'
    })
  })

  it('waits for a lock for a second at most, and says so', async () => {
    const { proposalId: id } = (
      await ada.call('proposeRoles', { params: { id: finn.id }, body: { roles: ['support'], why: 'Moves' } })
    ).body.data
    const confirmed = await bela.confirm('approveProposal', { params: { id }, body: { why: 'Yes' } })
    await test.app.context.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from staff_proposals where id = ${id} for update`)
      if (process.env.ENGINE !== 'postgres') return
      const answer = await bela.callWith('approveProposal', { params: { id }, body: { why: 'Yes' } }, confirmed)
      expect(answer.body.code).toBe('busy')
    })
    expect((await reject(bela, id)).status).toBe(200)
  })

  describe('about people', () => {
    it('changes roles by two admins, ends the sessions at once, and counts with the next call', async () => {
      const { body } = await ada.call('proposeRoles', {
        params: { id: finn.id },
        body: { roles: ['support'], why: 'Moves to support' }
      })
      expect((await finn.call('getMe')).body.data.roles).toEqual(['finance'])
      expect((await approve(finn, body.data.proposalId)).body.code).toBe('right_missing')
      expect((await approve(bela, body.data.proposalId)).status).toBe(200)
      expect((await finn.call('getMe')).body.code).toBe('signed_out')
      await desk.signIn(finn)
      expect((await finn.call('getMe')).body.data.roles).toEqual(['support'])
      expect((await finn.call('haltChain', { params: { chain: 'cpc' }, body: { why: 'A look' } })).body.code).toBe(
        'right_missing'
      )
    })

    it('is nothing for the person that it is about', async () => {
      const own = { params: { id: ada.id }, body: { roles: ['compliance'], why: 'More' } }
      expect((await ada.call('proposeRoles', own)).body.code).toBe('own_account')
      const { body } = await bela.call('proposeRoles', own)
      expect(await shown(ada, body.data.proposalId)).toMatchObject({ mayDecide: false })
      expect((await approve(ada, body.data.proposalId)).body.code).toBe('own_account')
      await reject(bela, body.data.proposalId)
    })

    it('gives no admin another role', async () => {
      const both = { params: { id: fay.id }, body: { roles: ['admin', 'finance'], why: 'Both' } }
      expect((await ada.call('proposeRoles', both)).body).toMatchObject({ code: 'invalid_fields' })
    })

    it('does not count when its maker has lost the right in between', async () => {
      const carl = await desk.member([ada, bela], 'Carl', ['admin'])
      const { body } = await carl.call('proposeRoles', { params: { id: fay.id }, body: { roles: ['support'], why: 'Moves' } })
      await ada.call('stopPerson', { params: { id: carl.id }, body: { why: 'A thief' } })
      const answer = await approve(bela, body.data.proposalId)
      expect(answer.body.code).toBe('facts_changed')
      expect(answer.body.message).toContain('Carl has no right to this any more')
      expect((await fay.call('getMe')).body.data.roles).toEqual(['finance', 'compliance'])
      await reject(bela, body.data.proposalId)
    })

    it('leaves two admins', async () => {
      const people = (await ada.call('listPeople')).body.data.people as {
        id: string
        name: string
        roles: string[]
        stoppedAt: string | null
      }[]
      for (const one of people.filter(({ name, stoppedAt }) => name === 'Gus' && !stoppedAt))
        expect((await ada.call('stopPerson', { params: { id: one.id }, body: { why: 'Test' } })).status).toBe(200)
      const { body } = await ada.call('proposeRoles', { params: { id: bela.id }, body: { roles: ['finance'], why: 'Moves' } })
      expect(body.code).toBe('last_admin')
    })
  })

  it('changes a setting by two admins, within its bounds', async () => {
    const set = (value: string) =>
      ada.call('proposeSetting', { params: { name: 'withdrawal_two_above' }, body: { value, why: 'More of them' } })
    expect((await set('100000001')).body.code).toBe('invalid_fields')
    const { body } = await set('600000')
    expect((await approve(bela, body.data.proposalId)).status).toBe(200)
    const { settings } = (await ada.call('listPeople')).body.data
    expect(settings).toContainEqual({ name: 'withdrawal_two_above', value: '600000', unit: 'USD' })
  })
})
