/** Withdrawals at the desk: approved by passkey, which the signer checks by itself, and what a thief with the database cannot do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chainOf } from '#lib/domain/chains/chains.ts'
import { isApproved } from '#lib/server/withdrawals/approval.ts'
import { approveWithdrawal, challengeOfApproval, signApproved, withdrawalWithEmail } from '#lib/server/withdrawals/index.ts'
import { createAuthenticator } from '#support/authenticator.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { DESK_ORIGIN, deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { operator, units, withdrawalsOf } from '#support/withdrawals.ts'

const details = { party: 'self', holder: 'own' } as const
const why = 'Called the customer'
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let desk: ReturnType<typeof deskOf>
let finn: Member
let fay: Member
let sue: Member
let customer: Customer
let folder: string
let list: string

type Listed = { person: string; key: string; publicKey: string; origin: string }
const listed = async (): Promise<Listed[]> => {
  const { rows } = (await test.app.context.db.execute(
    sql`select s.email as person, k.id as key, k.public_key as "publicKey", k.origin from staff_keys k join staff s on s.id = k.staff_id`
  )) as unknown as { rows: Listed[] }
  return rows
}
const keep = (keys: Listed[]) => writeFileSync(list, JSON.stringify(keys))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'staff-keys-'))
  list = join(folder, 'keys.json')
  writeFileSync(list, '[]')
  test = await createTestApp({ env: { STAFF_KEYS_FILE: list, SIGNER_TWO_ABOVE_USD: '7500', SIGNER_FILE_ABOVE_USD: '9000' } })
  w = withdrawalsOf(test)
  await w.stock()
  desk = deskOf(test)
  const [ada, bela] = await desk.admins()
  finn = await desk.member([ada, bela], 'Finn', ['finance'])
  fay = await desk.member([ada, bela], 'Fay', ['compliance', 'finance'])
  sue = await desk.member([ada, bela], 'Sue', ['support'])
})
beforeEach(async () => {
  // What the test before has signed: the next payment waits behind it.
  await w.carryOut('USDC')
  test.pass(24 * 3600)
  for (const one of [finn, fay, sue]) await desk.signIn(one)
  keep(await listed())
  customer = await test.customer()
  await w.fund(customer, 'USDC', units('USDC', 20_000))
})
afterAll(async () => {
  await w.carryOut('USDC')
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  rmSync(folder, { recursive: true })
})

const asked = (dollars: number) => w.confirmed(customer, 'USDC', units('USDC', dollars), { details })
const approve = (by: Member, id: string) => by.call('approveWithdrawal', { params: { id }, body: { why } })
const stateOf = async () => (await w.list(customer))[0].state
async function sign() {
  const { signingOf } = test.app.chains
  if (!signingOf) throw new Error('The test has the seed')
  await w.follow('ethereum')
  await signApproved(test.app.context, test.app.chains.withdrawals, await signingOf(chainOf('USDC')))
}

describe('a withdrawal above the first sum', () => {
  it('waits at the desk with why, its worth and what speaks against it', async () => {
    const id = await asked(5_001)
    const { withdrawals } = (await sue.call('listWithdrawals', { query: { filter: 'waiting' } })).body.data
    expect(withdrawals.at(-1)).toMatchObject({ id, usdCents: '500100', approvals: 0, personsNeeded: 1, state: 'review' })
    const { data } = (await sue.call('getWithdrawal', { params: { id } })).body
    expect(data.signs.map(({ sign }: { sign: string }) => sign)).toEqual(['new_address', 'first'])
    expect(data).toMatchObject({ paidBefore: 0, otherCustomers: expect.any(Number), customerId: customer.userId })
    // Nothing personal without a reason.
    expect(JSON.stringify(data)).not.toContain(customer.email)
  })

  it('says where the coins came from, and what the signer has left for today', async () => {
    const address = await w.addressFor(customer, 'USDC')
    await w.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 700) })
    await w.confirm('ethereum')
    const id = await asked(5_001)
    const { data } = (await sue.call('getWithdrawal', { params: { id } })).body
    expect(data.signs).toContainEqual({ sign: 'came_by_deposit', at: expect.any(String), isBad: true })
    const leftCents = async () => BigInt((await sue.call('listWithdrawals')).body.data.signer.leftCents)
    const before = await leftCents()
    expect((await approve(finn, id)).status).toBe(200)
    await sign()
    expect(before - (await leftCents())).toBe(500_100n)
  })

  it('is approved by one person’s passkey, and the signer signs it', async () => {
    const id = await asked(5_001)
    expect((await approve(sue, id)).body.code).toBe('right_missing')
    expect((await approve(finn, id)).status).toBe(200)
    expect(await stateOf()).toBe('approved')
    await sign()
    expect(await stateOf()).toBe('signed')
    const { entries } = (await fay.call('listAudit')).body.data
    expect(entries[0]).toMatchObject({ act: 'approve_withdrawal', name: 'Finn', subject: `withdrawal:${id}`, why })
  })

  it('above the second sum needs two different persons, at the desk and at the signer', async () => {
    const id = await asked(8_000)
    expect((await approve(fay, id)).body.data.message).toContain('Another person')
    expect(await stateOf()).toBe('review')
    expect((await approve(fay, id)).body.code).toBe('approved_by_you')
    // Somebody who can write the state gets nothing signed by it.
    await behindTheBack(test.app.context.db, sql`update withdrawals set state = 'approved', approved_at = now() where id = ${id}`)
    await sign()
    expect(await stateOf()).toBe('review')
    expect((await approve(finn, id)).status).toBe(200)
    await sign()
    expect(await stateOf()).toBe('signed')
  })

  it('above the third sum needs one of them to have a key in a file', async () => {
    const id = await asked(9_500)
    await approve(fay, id)
    await approve(finn, id)
    await sign()
    expect(await stateOf()).toBe('review')
    const byFile = { ...operator, id, why, twoAboveCents: 0n }
    expect(await approveWithdrawal(test.app.context, test.app.chains.withdrawals, byFile)).toBe('one_more')
    expect((await approve(fay, id)).status).toBe(200)
    await sign()
    expect(await stateOf()).toBe('signed')
  })

  it('is rejected with a reason that the customer reads', async () => {
    const id = await asked(5_001)
    const answer = await fay.call('rejectWithdrawal', { params: { id }, body: { why: 'We could not reach you' } })
    expect(answer.status).toBe(200)
    expect((await w.list(customer))[0]).toMatchObject({ state: 'rejected', why: 'We could not reach you' })
    expect((await approve(finn, id)).body.code).toBe('withdrawal_not_waiting')
    expect((await fay.call('rejectWithdrawal', { params: { id }, body: { why: 'Again' } })).body.code).toBe('withdrawal_over')
  })

  it('is approved once by eight clicks at once, while the customer cancels', async () => {
    const id = await asked(5_001)
    const confirmed = await Promise.all(
      Array.from({ length: 8 }, () => finn.confirm('approveWithdrawal', { params: { id }, body: { why } }))
    )
    const answers = await Promise.all([
      ...confirmed.map((one) => finn.callWith('approveWithdrawal', { params: { id }, body: { why } }, one)),
      test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })
    ])
    expect(answers.slice(0, 8).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await stateOf()).toBe('cancelled')
    expect((await w.holding(customer, 'USDC')).spot).toBe(units('USDC', 20_000))
  })
})

describe('the signer believes no row', () => {
  const wrong = async (id: string) => {
    await sign()
    expect(await stateOf()).toBe('review')
    expect((await w.list(customer))[0]).toMatchObject({ id, transactionId: null })
  }

  it('of a key that its own list does not have', async () => {
    keep((await listed()).filter(({ person }) => !person.startsWith('finn')))
    const id = await asked(5_001)
    await approve(finn, id)
    await wrong(id)
  })

  it('of a person who was stopped, although the list still has their key', async () => {
    const id = await asked(5_001)
    expect((await approve(finn, id)).status).toBe(200)
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = now() where id = ${finn.id}`)
    await wrong(id)
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = null where id = ${finn.id}`)
  })

  it('of a list that cannot be read', async () => {
    writeFileSync(list, 'nothing')
    const id = await asked(5_001)
    await approve(finn, id)
    await wrong(id)
  })

  it('of a key that was given to another person in the database', async () => {
    const thief = createAuthenticator(DESK_ORIGIN)
    const id = await asked(5_001)
    const { rows } = (await test.app.context.db.execute(sql`select public_key from staff_keys limit 1`)) as unknown as {
      rows: object[]
    }
    expect(rows).toHaveLength(1)
    const answer = thief.get({ challenge: Buffer.alloc(32, 1).toString('base64url') })
    const forged = JSON.stringify({
      key: thief.get({ challenge: '' }).id,
      expires: '99999999999',
      nonce: 'x',
      clientData: answer.response.clientDataJSON,
      authenticatorData: answer.response.authenticatorData,
      signature: answer.response.signature
    })
    await behindTheBack(
      test.app.context.db,
      sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at) values (${id}, 'approved', ${`staff:${finn.id}`}, 'x', ${forged}::jsonb, now())`,
      sql`update withdrawals set state = 'approved', approved_at = now() where id = ${id}`
    )
    await wrong(id)
  })

  it.each([
    ['receiver', sql`receiver = '0x00000000000000000000000000000000000000Aa'`],
    ['amount', sql`amount = amount + 1, from_spot = from_spot + 1`],
    ['fee', sql`fee = fee - 1`]
  ])('whose %s was changed after the approval', async (_, change) => {
    const id = await asked(5_001)
    await approve(finn, id)
    const { rows } = (await test.app.context.db.execute(
      sql`select receiver, amount, from_spot, fee from withdrawals where id = ${id}`
    )) as unknown as { rows: { receiver: string; amount: string; from_spot: string; fee: string }[] }
    await behindTheBack(test.app.context.db, sql`update withdrawals set ${change} where id = ${id}`)
    await sign()
    // Refused by the signer's own checks, before it comes to the approval: nothing leaves.
    expect((await w.list(customer))[0]).toMatchObject({ state: 'approved', waits: 'checked', transactionId: null })
    const [was] = rows
    await behindTheBack(
      test.app.context.db,
      sql`update withdrawals set receiver = ${was?.receiver}, amount = ${was?.amount}, from_spot = ${was?.from_spot}, fee = ${was?.fee} where id = ${id}`
    )
  })

  it.each([
    ['receiver', { receiver: '0x00000000000000000000000000000000000000Aa' }],
    ['amount', { amount: 1n }],
    ['fee', { fee: 1n }],
    ['id', { id: '00000000-0000-4000-8000-000000000001' }],
    ['token', { currency: 'ETH' as const }]
  ])('of an approval for another %s', async (_, other) => {
    const id = await asked(5_001)
    const found = await withdrawalWithEmail(test.app.context.db, id)
    if (!found) throw new Error('It was asked for')
    const { withdrawals: settings } = test.app.chains
    const [key] = (await listed()).filter(({ person }) => person === finn.email)
    const once = { expires: BigInt(Math.floor(test.app.context.clock().getTime() / 1000) + 3600), nonce: 'once' }
    const approvedBy = (row: typeof found.row) => {
      const challenge = Buffer.from(challengeOfApproval(settings, row, once)).toString('base64url')
      const { response } = finn.authenticator.get({ challenge })
      const { clientDataJSON: clientData, authenticatorData, signature } = response
      return {
        key: key?.key ?? '',
        expires: once.expires.toString(),
        nonce: once.nonce,
        clientData,
        authenticatorData,
        signature
      }
    }
    const seen = { cents: 500_100n, keys: await listed(), at: test.app.context.clock() }
    const claims = (passkey: object) =>
      behindTheBack(
        test.app.context.db,
        sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at) values (${id}, 'approved', 'staff:x', 'x', ${JSON.stringify(passkey)}::jsonb, now())`
      )
    await claims(approvedBy({ ...found.row, ...other }))
    expect(await isApproved(test.app.context.db, settings, found.row, seen)).toBe(false)
    // The same for this one counts: it was the difference that did not.
    await claims(approvedBy(found.row))
    expect(await isApproved(test.app.context.db, settings, found.row, seen)).toBe(true)
  })

  it('of an approval of another withdrawal', async () => {
    const first = await asked(5_001)
    await approve(finn, first)
    const other = await test.customer()
    await w.fund(other, 'USDC', units('USDC', 20_000))
    const id = await w.confirmed(other, 'USDC', units('USDC', 5_001), { details })
    await behindTheBack(
      test.app.context.db,
      sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at) select ${id}, decision, actor, why, passkey, decided_at from withdrawal_decisions where withdrawal_id = ${first} and passkey is not null`,
      sql`update withdrawals set state = 'approved', approved_at = now() where id = ${id}`
    )
    await sign()
    expect((await w.list(other))[0]).toMatchObject({ id, state: 'review', transactionId: null })
  })

  it('of an approval that is a day old', async () => {
    const id = await asked(5_001)
    await approve(finn, id)
    test.pass(24 * 3600 + 1)
    await desk.signIn(finn)
    await wrong(id)
    // The person approves again.
    expect((await approve(finn, id)).status).toBe(200)
    await sign()
    expect(await stateOf()).toBe('signed')
  })

  it('of one person under two keys', async () => {
    const second = createAuthenticator(DESK_ORIGIN)
    const { body: options } = await finn.call('getNewKeyOptions')
    await finn.call('addKey', { body: { keyName: 'Phone', response: second.create(options.data) } })
    keep(await listed())
    const id = await asked(8_000)
    await approve(finn, id)
    const first = finn.authenticator
    finn.authenticator = second
    expect((await approve(finn, id)).body.code).toBe('approved_by_you')
    finn.authenticator = first
    // The same written into the database.
    await behindTheBack(
      test.app.context.db,
      sql`insert into withdrawal_decisions (withdrawal_id, decision, actor, why, passkey, decided_at) select withdrawal_id, decision, 'staff:somebody', why, passkey, decided_at from withdrawal_decisions where withdrawal_id = ${id} and passkey is not null`,
      sql`update withdrawals set state = 'approved', approved_at = now() where id = ${id}`
    )
    await wrong(id)
  })
})

describe('who works at the desk and is a customer', () => {
  it('decides nothing about themselves', async () => {
    customer = await test.customer({ email: 'finn@desk.example' })
    await w.fund(customer, 'USDC', units('USDC', 20_000))
    const id = await asked(5_001)
    expect((await approve(finn, id)).body.code).toBe('own_account')
    expect((await finn.call('rejectWithdrawal', { params: { id }, body: { why: 'Mine' } })).body.code).toBe('own_account')
    const own = { params: { id: customer.userId }, body: { why: 'To see my data' } }
    expect((await finn.call('showPersonalData', own)).body.code).toBe('own_account')
    expect((await sue.call('showPersonalData', own)).body.data).toMatchObject({ email: 'finn@desk.example' })
    const { entries } = (await fay.call('listAudit')).body.data
    expect(entries[0]).toMatchObject({ act: 'show_personal_data', name: 'Sue', subject: `customer:${customer.userId}` })
  })
})
