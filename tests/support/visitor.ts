/** Customers of a running sandbox over HTTP: sign up with the code from the mailbox page, keep cookies and tokens. */
import { randomUUID } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'

export type Visitor = { email: string; cookie: string; browser: string; token: string; refreshToken: string }

export async function postJson(url: string, path: string, body: unknown, token?: string, cookie?: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie })
    },
    body: JSON.stringify(body)
  })
}

/** A cookie that a response sets, as the `Cookie` header that sends it back. */
function cookieOf(response: Response, name: string): string {
  const found = response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found?.split(';', 1)[0] ?? ''
}

const MOST_TRIES = 25
const BETWEEN_TRIES_MS = 200

export async function codeInMailbox(url: string, email: string): Promise<string> {
  const html = await (await fetch(`${url}/sandbox`)).text()
  const mails = html.split('data-mail=').filter((mail) => mail.startsWith(`"${email}"`))
  const code = mails.map((mail) => /(\d{6}) is your/.exec(mail)?.[1]).find(Boolean)
  if (!code) throw new Error(`No code for ${email} in the mailbox`)
  return code
}

/** Makes the sandbox's identity check decide on the token's customer. */
export async function decideIdentityAt(
  url: string,
  token: string,
  decision = 'approve',
  person?: { firstName: string; lastName: string }
): Promise<void> {
  const { data } = await (await postJson(url, '/users/get-kyc-link', {}, token)).json()
  const answer = await fetch(new URL(data.url, url), {
    method: 'POST',
    body: new URLSearchParams({ decision, ...person }),
    redirect: 'manual',
    headers: { origin: url }
  })
  if (!answer.headers.get('location')?.includes('told=')) throw new Error('The identity check was not decided')
}

/** `codeInMailbox` with retries: another process may send the mail later. */
async function codeOnceSent(url: string, email: string): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const code = await codeInMailbox(url, email).catch(() => undefined)
    if (code) return code
    await new Promise((resume) => setTimeout(resume, BETWEEN_TRIES_MS))
  }
  return codeInMailbox(url, email)
}

/** Signs up; by default also completes the identity check. */
export async function signUpAt(
  url: string,
  {
    email = `${randomUUID()}@example.com`,
    referralCode,
    unverified,
    person
  }: {
    email?: string
    referralCode?: string | undefined
    unverified?: true | undefined
    person?: { firstName: string; lastName: string }
  } = {}
): Promise<Visitor> {
  const signUp = { email, password: 'correct horse battery', phone: '+43 660 1234567', referralCode }
  const first = await postJson(url, '/users/signup', signUp)
  const browser = cookieOf(first, 'browser')
  const code = await codeOnceSent(url, email)
  const response = await postJson(url, '/users/signup/verify', { email, token: code }, undefined, browser)
  const { data } = await response.json()
  if (!unverified) await decideIdentityAt(url, data.token, 'approve', person)
  return { email, cookie: cookieOf(response, 'session'), browser, ...data }
}

/** Puts the visitor's session into a browser, as signing in there would. */
export async function openSession(
  context: BrowserContext,
  url: string,
  { cookie, browser, token, refreshToken, email }: Visitor
) {
  for (const one of [cookie, browser]) {
    const [name = '', value = ''] = one.split('=', 2)
    await context.addCookies([{ name, value, url, httpOnly: true }])
  }
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const session = JSON.stringify({ token, refreshToken, user: { token, userUid: claims.user_id, email } })
  const page = await context.newPage()
  await page.goto(`${url}/robots.txt`)
  await page.evaluate((text) => localStorage.setItem('auth-storage', text), session)
  await page.close()
}
