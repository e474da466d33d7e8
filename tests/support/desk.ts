/** Members of staff of a test's application, each with a passkey in software, and their calls. */
import type { DeskCallName } from '#lib/contract/desk/calls.ts'
import { deskCalls, deskPathOf, rulesOf } from '#lib/contract/desk/calls.ts'
import type { StaffRole } from '#lib/domain/staff/rights.ts'
import { inviteFirst } from '#lib/server/staff/index.ts'
import { createAuthenticator } from './authenticator.ts'
import { LOCAL } from './local.ts'
import type { TestApp } from './testApp.ts'

const HOST = 'desk.localhost'
export const DESK_ORIGIN = `http://${HOST}`

// biome-ignore lint/suspicious/noExplicitAny: it is the tests that check its shape
type Answer = { status: number; body: any; headers: Headers }
type Values = { params?: Record<string, string>; query?: Record<string, string>; body?: Record<string, unknown> }
type Raw = { method?: string; path: string; body?: unknown; headers?: Record<string, string>; cookie?: string }

export type Member = {
  id: string
  name: string
  email: string
  cookie: string
  authenticator: ReturnType<typeof createAuthenticator>
  /** Makes a call, and confirms it with the passkey where the call asks for it. */
  call: (name: DeskCallName, values?: Values) => Promise<Answer>
  /** The same in two halves: the passkey's answer, and the call with it. */
  confirm: (name: DeskCallName, values?: Values) => Promise<unknown>
  callWith: (name: DeskCallName, values: Values, passkey: unknown) => Promise<Answer>
}

export function deskOf(test: TestApp) {
  const { app } = test

  async function raw({ method = 'POST', path, body, headers = {}, cookie }: Raw): Promise<Answer> {
    const response = await app.desk.api.request(
      `/v1${path}`,
      {
        method,
        headers: {
          host: HOST,
          ...(method === 'POST' && { origin: DESK_ORIGIN, 'content-type': 'application/json' }),
          ...(cookie && { cookie: `desk=${cookie}` }),
          ...headers
        },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) })
      },
      LOCAL
    )
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

  const cookieOf = ({ headers }: Answer) => /^desk=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''

  /** Accepts the invitation of this token with a new passkey. */
  async function join(token: string): Promise<Member> {
    const authenticator = createAuthenticator(DESK_ORIGIN)
    const { body: invited } = await raw({ path: '/invitation', body: { token } })
    const { body: options } = await raw({ path: '/invitation/options', body: { token } })
    const response = authenticator.create(options.data)
    const accepted = await raw({ path: '/invitation/accept', body: { token, keyName: 'Laptop', response } })
    if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
    return memberOf({ name: invited.data.name, email: invited.data.email, authenticator, cookie: cookieOf(accepted) })
  }

  async function memberOf(who: Pick<Member, 'name' | 'email' | 'authenticator' | 'cookie'>): Promise<Member> {
    const member: Member = {
      ...who,
      id: '',
      confirm: async (name, { params = {}, body = {} } = {}) => {
        const { body: options } = await raw({ path: '/passkey', body: { call: name, params, body }, cookie: member.cookie })
        // Refused already: the call itself says why.
        return options.data ? member.authenticator.get(options.data) : {}
      },
      callWith: (name, { params, query, body = {} }, passkey) => {
        const asked = query ? `?${new URLSearchParams(query)}` : ''
        const path = `${deskPathOf(name, params)}${asked}`
        const sent = passkey === undefined ? body : { ...body, passkey }
        return raw({ method: deskCalls[name].method, path, body: sent, cookie: member.cookie })
      },
      call: async (name, values = {}) =>
        member.callWith(name, values, rulesOf(name).passkey === 'act' ? await member.confirm(name, values) : undefined)
    }
    const me = await member.call('getMe')
    member.id = me.body.data?.id ?? ''
    return member
  }

  /** An admin by the command line. */
  async function firstAdmin(name: string): Promise<Member> {
    const invited = await inviteFirst(app.context, { name, email: `${name.toLowerCase()}@desk.example` })
    if (invited === 'refused') throw new Error('refused')
    return join(invited.token)
  }

  /** The two first admins. */
  async function admins(): Promise<[Member, Member]> {
    return [await firstAdmin('Ada'), await firstAdmin('Bela')]
  }

  /** A person whom one admin invites and the other approves. */
  async function member([first, second]: [Member, Member], name: string, roles: StaffRole[]): Promise<Member> {
    const email = `${name.toLowerCase()}@desk.example`
    const proposed = await first.call('proposeInvitation', { body: { name, email, roles, why: 'A new colleague' } })
    const id = proposed.body.data.proposalId
    const approved = await second.call('approveProposal', { params: { id }, body: { why: 'I know them' } })
    if (approved.status !== 200) throw new Error(JSON.stringify(approved.body))
    return join(await tokenFor(email))
  }

  /** The token of the newest invitation by mail. */
  async function tokenFor(email: string): Promise<string> {
    const [mail] = await test.mailsTo(email)
    return /\/join#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  async function signIn(member: Member): Promise<Answer> {
    const { body: options } = await raw({ path: '/sign-in/options' })
    const answer = await raw({ path: '/sign-in', body: { response: member.authenticator.get(options.data) } })
    if (answer.status === 200) member.cookie = cookieOf(answer)
    return answer
  }

  return { raw, join, firstAdmin, admins, member, tokenFor, signIn, cookieOf }
}
