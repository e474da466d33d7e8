/** Calls of the API for signed-in pages. */
import type { AstroGlobal } from 'astro'
import { type CallName, calls } from '#lib/contract/calls.ts'
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
  const caller = { customer, browser: browserOf(page) }
  const ask: Ask = (name, input) => {
    const answer = app.ask(caller, name, input)
    if (calls[name].method === 'GET') return answer
    // A change may concern the frame, e.g. a notice that was opened.
    return answer.finally(() => {
      delete page.locals.frame
    })
  }
  // Asked together with the figures of the page, not after them. The page of a form changes something first.
  if (page.request.method === 'GET') void frameOf(page, ask)
  return ask
}

type Frame = { unseen: number; canTrade: boolean }

/** What is around every signed-in page: how many notices are new, and whether the menu leads to P2P. */
export function frameOf(page: Page, ask: Ask = askAsCustomer(page)): Promise<Frame> {
  const { app, customer } = page.locals
  page.locals.frame ??= Promise.all([ask('countNotices'), customer ? app.canTrade(customer) : false]).then(
    ([{ unseen }, canTrade]) => ({ unseen, canTrade })
  )
  // A page without a frame, e.g. a redirect, does not look at it.
  page.locals.frame.catch(() => undefined)
  return page.locals.frame
}

/** Calls the API in process, for a page that needs no session. */
export function askAsVisitor(page: Page): Ask {
  return (name, input) => page.locals.app.ask({ customer: undefined, browser: browserOf(page) }, name, input)
}

type Outcome<T> = { data: T; failure: undefined } | { data: undefined; failure: Failure }

/** Returns the answer or the failure; throws an unexpected failure, so that the error page is shown. */
export function orFailure<T>(asked: Promise<T>): Promise<Outcome<T>> {
  return asked.then<Outcome<T>, Outcome<T>>(
    (data) => ({ data, failure: undefined }),
    (error: unknown) => {
      if (!isCallFailed(error) || error.failure.code === 'internal') throw error
      return { data: undefined, failure: error.failure }
    }
  )
}

/** True if the API refused what it was asked; false if it could not do it now (429, 5xx), so that trying again may help. */
export function isRefusal(failure: Failure | undefined): boolean {
  return failure !== undefined && failure.statusCode < 500 && failure.code !== 'too_many_requests'
}

/** The answer, or the error code of the failure. */
export function orCode<T>(asked: Promise<T>): Promise<{ data: T; code: undefined } | { data: undefined; code: string }> {
  return orFailure(asked).then(({ data, failure }) =>
    failure ? { data: undefined, code: failure.code } : { data, code: undefined }
  )
}
