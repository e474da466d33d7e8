/** A customer who speaks HTTP to a running sandbox: signs up through the mailbox page, keeps cookie and tokens. */
import { randomUUID } from 'node:crypto'

export type Visitor = { email: string; cookie: string; token: string; refreshToken: string }

export async function postJson(url: string, path: string, body: unknown, token?: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body)
  })
}

export async function codeInMailbox(url: string, email: string): Promise<string> {
  const html = await (await fetch(`${url}/sandbox`)).text()
  const mail = html.slice(html.indexOf(`data-mail="${email}"`))
  const code = /(\d{6}) is your/.exec(mail)?.[1]
  if (!code) throw new Error(`No code for ${email} in the mailbox`)
  return code
}

export async function signUpAt(url: string, email = `${randomUUID()}@example.com`): Promise<Visitor> {
  await postJson(url, '/users/signup', { email, password: 'correct horse battery', phone: '+43 660 1234567' })
  const response = await postJson(url, '/users/signup/verify', { email, token: await codeInMailbox(url, email) })
  const { data } = await response.json()
  return { email, cookie: (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '', ...data }
}
