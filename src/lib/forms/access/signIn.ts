/**
 * Signing in and up with plain forms, which work before the island's script has loaded and without JavaScript. They use the
 * API's calls with their rate limits, and the islands' sentences.
 */
import type { AstroGlobal } from 'astro'
import type { CallName } from '#lib/contract/calls.ts'
import type { Failure } from '#lib/contract/errors.ts'
import { CODE_LENGTH, checkEmail, checkPassword, normalizeCode, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { checkPhone, checkReferralCode, normalizeReferralCode } from '#lib/domain/access/person.ts'
import { passwordTexts } from '#messages/access/password.ts'
import { signInTexts, waitForCode, waitForOtp } from '#messages/access/signIn.ts'
import { fieldMessages, fieldSentences } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'

type Page = Pick<AstroGlobal, 'locals' | 'request' | 'response' | 'cookies'>

/** The state of a sign-in after a form, which the island shows first. `notice` is about the form as a whole. */
export type FirstSignIn = {
  step: 'email' | 'otp' | 'password' | 'secondFactor'
  email: string
  ticket: string
  errors: { email?: string | undefined; otp?: string | undefined; password?: string | undefined; code?: string | undefined }
  notice?: string | undefined
  /** Seconds until another code can be sent. */
  waitSeconds: number
}

/** The next page after an accepted form: the session is open, and this page makes the token pair. */
export const SIGNED_IN = '/signed-in'

export const START: FirstSignIn = { step: 'email', email: '', ticket: '', errors: {}, waitSeconds: 0 }

async function call<K extends CallName>(
  { locals, request, response }: Page,
  name: K,
  body: object
): Promise<Failure | undefined> {
  const from = { headers: request.headers, remoteAddress: locals.remoteAddress }
  const { failure, cookies } = await locals.app.submit(from, name, body)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  if (failure) response.status = failure.statusCode
  return failure
}

async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await request.formData().catch(() => new FormData())
  return (name) => String(form.get(name) ?? '').slice(0, 2000)
}

const RESEND_AFTER_SECONDS = 60

async function requestCode(page: Page, email: string): Promise<FirstSignIn> {
  const wrong = checkEmail(email)
  if (wrong) return { ...START, email, errors: { email: fieldMessages[wrong] } }
  const failure = await call(page, 'requestOtp', { email })
  if (!failure) return { ...START, step: 'otp', email, waitSeconds: RESEND_AFTER_SECONDS }
  const wait = failure.retryAfterSeconds
  const notice = wait === undefined ? failure.message || signInTexts.otpRequestFailed : waitForOtp(wait)
  return { ...START, email, notice, waitSeconds: wait ?? 0 }
}

/** The state after a failed try: the second factor if the API asks for it, otherwise `again`, the same step with its error. */
function afterFailure(failure: Failure, email: string, again: FirstSignIn): FirstSignIn {
  return failure.ticket ? { ...START, step: 'secondFactor', email, ticket: failure.ticket } : again
}

async function verifyCode(page: Page, email: string, otp: string): Promise<FirstSignIn | typeof SIGNED_IN> {
  const again: FirstSignIn = { ...START, step: 'otp', email }
  if (otp === '') return again
  const failure = await call(page, 'verifyOtp', { email, otp })
  if (!failure) return SIGNED_IN
  const sentence = failure.code === 'otp_invalid' ? signInTexts.otpInvalid : failure.message
  return afterFailure(failure, email, { ...again, errors: { otp: sentence } })
}

async function checkPasswordOf(page: Page, email: string, password: string): Promise<FirstSignIn | typeof SIGNED_IN> {
  const again: FirstSignIn = { ...START, step: 'password', email }
  if (email === '' || password === '') return again
  const failure = await call(page, 'signIn', { email, password })
  if (!failure) return SIGNED_IN
  const isWrong = failure.code === 'credentials_invalid' || failure.code === 'invalid_fields'
  return afterFailure(failure, email, { ...again, errors: { password: isWrong ? passwordTexts.passwordWrong : failure.message } })
}

async function checkSecondFactor(
  page: Page,
  email: string,
  ticket: string,
  code: string
): Promise<FirstSignIn | typeof SIGNED_IN> {
  const again: FirstSignIn = { ...START, step: 'secondFactor', email, ticket }
  if (code === '') return again
  const failure = await call(page, 'verifySecondFactor', { ticket, code })
  if (!failure) return SIGNED_IN
  // The ticket has expired or had too many tries: back to the start, with the reason.
  if (failure.code === 'ticket_invalid') return { ...START, email, notice: failure.message }
  return { ...again, errors: { code: failure.message } }
}

/** Handles a form of the sign-in page; the pressed button names the action in the field `do`. */
export async function takeSignIn(page: Page): Promise<FirstSignIn | typeof SIGNED_IN> {
  const field = await readForm(page.request)
  const email = normalizeEmail(field('email'))
  const wish = field('do')
  if (wish === 'verify') return verifyCode(page, email, normalizeCode(field('otp')).slice(0, CODE_LENGTH))
  if (wish === 'use-password') return { ...START, step: 'password', email }
  if (wish === 'password') return checkPasswordOf(page, email, field('password'))
  if (wish === 'second-factor') return checkSecondFactor(page, email, field('ticket'), field('code').trim())
  return requestCode(page, email)
}

/** The fields and errors of a refused sign-up form; never the password. */
export type FirstSignUp = {
  fields: { email: string; phone: string; referralCode: string }
  errors: { email?: string; password?: string; phone?: string; referralCode?: string }
  notice?: string | undefined
}

/** Cookie with the email address that waits for its code, for the next page: kept half an hour, readable only by the server. */
const WAITING = 'verify-email'
const WAITING_SECONDS = 1800

export async function takeSignUp(page: Page): Promise<FirstSignUp | 'sent'> {
  const field = await readForm(page.request)
  const fields = {
    email: normalizeEmail(field('email')),
    phone: field('phone').trim(),
    referralCode: field('referralCode').trim()
  }
  const password = field('password')
  const wrong = {
    email: checkEmail(fields.email),
    password: checkPassword(password),
    phone: checkPhone(fields.phone),
    referralCode: checkReferralCode(fields.referralCode)
  }
  const found = Object.fromEntries(Object.entries(wrong).flatMap(([name, code]) => (code ? [[name, fieldMessages[code]]] : [])))
  if (Object.keys(found).length > 0) return { fields, errors: found }
  const referralCode = normalizeReferralCode(fields.referralCode)
  const failure = await call(page, 'signUp', { ...fields, password, referralCode: referralCode || undefined })
  if (failure) {
    const errors = fieldSentences(failure.fields ?? {})
    const wait = failure.retryAfterSeconds
    const notice =
      Object.keys(errors).length > 0
        ? undefined
        : wait === undefined
          ? failure.message || texts.somethingWrong
          : waitForCode(wait)
    return { fields, errors, notice }
  }
  keepWaiting(page, fields.email)
  return 'sent'
}

function keepWaiting({ cookies, locals }: Page, email: string): void {
  const value = `${Date.now()} ${email}`
  const options = { path: '/sign-up-verify', httpOnly: true, sameSite: 'lax', secure: locals.app.secureCookie } as const
  cookies.set(WAITING, value, { ...options, maxAge: WAITING_SECONDS })
}

/** The address that waits for the code of a sign-up by form, with the error of the last try. */
export type FirstVerify = { email: string; sentAtMs: number; error?: string | undefined; notice?: string | undefined }

export function readWaiting({ cookies }: Page): FirstVerify | undefined {
  const [, sentAt, email = ''] = /^(\d{1,15}) (.+)$/.exec(cookies.get(WAITING)?.value ?? '') ?? []
  return email === '' ? undefined : { email, sentAtMs: Number(sentAt) }
}

export async function takeVerify(page: Page): Promise<FirstVerify | undefined | typeof SIGNED_IN> {
  const field = await readForm(page.request)
  const known = readWaiting(page)
  // With JavaScript the island keeps the address in the browser and sends it in the form.
  const email = normalizeEmail(field('email')) || known?.email
  if (!email) return undefined
  const waiting: FirstVerify = { email, sentAtMs: known?.sentAtMs ?? Date.now() }
  if (field('do') === 'resend') {
    const failure = await call(page, 'resendSignUpCode', { email })
    if (!failure) keepWaiting(page, email)
    const wait = failure?.retryAfterSeconds
    const notice = failure ? (wait === undefined ? failure.message : waitForCode(wait)) : signInTexts.codeResent
    return { ...waiting, ...(!failure && { sentAtMs: Date.now() }), notice }
  }
  const token = normalizeCode(field('token')).slice(0, CODE_LENGTH)
  if (token === '') return waiting
  const failure = await call(page, 'verifySignUp', { email, token })
  if (failure) return { ...waiting, error: failure.message || texts.somethingWrong }
  page.cookies.delete(WAITING, { path: '/sign-up-verify' })
  return SIGNED_IN
}
