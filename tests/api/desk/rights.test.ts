/** Every act × every role, by calling it; the table in docs/desk-rights.md is made here. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeskCallName, deskCalls, rulesOf } from '#lib/contract/desk/calls.ts'
import { RIGHT_NAMES, RIGHTS, type Right, ROLES, type StaffRole } from '#lib/domain/staff/rights.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const DOC = fileURLToPath(new URL('../../../docs/desk-rights.md', import.meta.url))
const ANY = '00000000-0000-4000-8000-000000000001'
const why = 'To see who may'
const VALUES: Partial<Record<DeskCallName, object>> = {
  proposeResume: { why, upTo: '1' },
  proposeInvitation: { why, name: 'Nobody', email: 'nobody@desk.example', roles: ['support'] },
  proposeRoles: { why, roles: ['support'] },
  proposePrice: { why, priceUsd: '1' },
  proposeSetting: { why, value: '700000' }
}
const NAMES = Object.keys(deskCalls) as DeskCallName[]
const callsOf = (right: Right) => NAMES.filter((name) => rulesOf(name).right === right)
const WORDS = { never: 'no', always: 'yes', above: 'above a sum' } as const

describe('the rights of the desk', () => {
  let test: TestApp
  let members: Record<StaffRole, Member>

  beforeAll(async () => {
    test = await createTestApp()
    const desk = deskOf(test)
    const admins = await desk.admins()
    const of = (role: Exclude<StaffRole, 'admin'>) => desk.member(admins, `Test-${role}`, [role])
    members = { admin: admins[0], support: await of('support'), finance: await of('finance'), compliance: await of('compliance') }
  })
  afterAll(() => test.close())

  /** Whether the call is let through to its act. Its values are about nothing, so that nothing is changed. */
  async function may(role: StaffRole, name: DeskCallName): Promise<boolean> {
    const params = {
      id: ANY,
      number: 'ABCD0001',
      notice: '1',
      chain: 'bitcoin',
      name: 'withdrawal_two_above',
      day: '2026-01-01',
      currency: 'CPC'
    }
    const answer = await members[role].call(name, { params, body: { why, ...VALUES[name] } })
    return answer.body.code !== 'right_missing'
  }

  it('every right has a call, and every call that decides asks for the passkey where its right does', () => {
    for (const right of RIGHT_NAMES) {
      expect(callsOf(right), right).not.toEqual([])
      if (RIGHTS[right].passkey) for (const name of callsOf(right)) expect(rulesOf(name).passkey, name).toBe('act')
    }
  })

  it('are as written, for each role, by the answer of each call', async () => {
    const rows: string[] = []
    for (const right of RIGHT_NAMES) {
      const cells: string[] = []
      for (const role of ROLES) {
        for (const name of callsOf(right)) {
          const isRight = (RIGHTS[right].roles as readonly StaffRole[]).includes(role)
          // An approval of a withdrawal that is not there has no challenge: who has no right is told so first.
          expect(await may(role, name), `${role} ${name}`).toBe(isRight)
        }
        cells.push((RIGHTS[right].roles as readonly StaffRole[]).includes(role) ? '●' : '—')
      }
      rows.push(`| ${right} | ${cells.join(' | ')} | ${WORDS[RIGHTS[right].second]} | ${RIGHTS[right].passkey ? 'yes' : 'no'} |`)
    }
    const text = `# Rights of the desk

Made by \`tests/api/desk/rights.test.ts\`, which calls every act as every role; with \`UPDATE=1\` it writes this page anew. Nobody decides about
their own proposal, their own roles, their own sessions or an account of their own, whatever their roles.

| right | ${ROLES.join(' | ')} | second person | passkey anew |
| --- | ${ROLES.map(() => '---').join(' | ')} | --- | --- |
${rows.join('\n')}
`
    if (process.env.UPDATE) writeFileSync(DOC, text)
    expect(readFileSync(DOC, 'utf8')).toBe(text)
  })
})
