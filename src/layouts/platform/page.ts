/** Calls of the API for signed-in pages. */
import type { AstroGlobal } from 'astro'
import type { CallName } from '#lib/contract/calls.ts'
import { type Failure, isCallFailed } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'

type Input = { params?: Record<string, string | number>; query?: Record<string, string | number>; body?: unknown }
type Ask = <K extends CallName>(name: K, input?: Input) => Promise<Answer<K>>

type Page = Pick<AstroGlobal, 'locals' | 'request'>

/** The browser that asks for this page. */
export function browserOf({ locals, request }: Page) {
  return { headers: request.headers, remoteAddress: locals.remoteAddress }
}

/** Calls the API in process, as the customer of this page. */
export function askAsCustomer(page: Page): Ask {
  const { app, customer } = page.locals
  if (!customer) throw new Error('This page needs a customer: take its route off the open list in src/lib/domain/access/guard.ts')
  const ask: Ask = (name, input) => app.ask({ customer, browser: browserOf(page) }, name, input)
  // Asked together with the figures of the page, not after them.
  page.locals.frame ??= askFrame(ask, () => app.canTrade(customer))
  return ask
}

/** What is around every signed-in page: how many notices are new, and whether the menu leads to P2P. */
export async function frameOf(page: Page): Promise<{ unseen: number; canTrade: boolean }> {
  askAsCustomer(page)
  return (await page.locals.frame) ?? { unseen: 0, canTrade: false }
}

function askFrame(ask: Ask, asksToTrade: () => Promise<boolean>): Promise<{ unseen: number; canTrade: boolean }> {
  const frame = Promise.all([ask('countNotices'), asksToTrade()]).then(([{ unseen }, canTrade]) => ({ unseen, canTrade }))
  // A page without a frame, e.g. a redirect, does not look at it.
  frame.catch(() => undefined)
  return frame
}

/** Calls the API in process, for a page that needs no session. */
export function askAsVisitor(page: Page): Ask {
  return (name, input) => page.locals.app.ask({ customer: undefined, browser: browserOf(page) }, name, input)
}

type Outcome<T> = { data: T; failure: undefined } | { data: undefined; failure: Failure }

/** Returns the answer or the failure; throws an unexpected failure, so that the error page is shown. */
export async function orFailure<T>(asked: Promise<T>): Promise<Outcome<T>> {
  try {
    return { data: await asked, failure: undefined }
  } catch (error) {
    if (!isCallFailed(error) || error.failure.code === 'internal') throw error
    return { data: undefined, failure: error.failure }
  }
}

/** True if the API refused what it was asked; false if it could not do it now (429, 5xx), so that trying again may help. */
export function isRefusal(failure: Failure | undefined): boolean {
  return failure !== undefined && failure.statusCode < 500 && failure.code !== 'too_many_requests'
}

/** The answer, or the error code of the failure. */
export async function orCode<T>(asked: Promise<T>): Promise<{ data: T; code: undefined } | { data: undefined; code: string }> {
  const { data, failure } = await orFailure(asked)
  return failure ? { data: undefined, code: failure.code } : { data, code: undefined }
}
