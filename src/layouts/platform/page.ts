/** Calls of the API for signed-in pages. */
import type { AstroGlobal } from 'astro'
import type { CallName } from '#lib/contract/calls.ts'
import { type Failure, isCallFailed } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'

type Input = { params?: Record<string, string | number>; query?: Record<string, string | number>; body?: unknown }
type Ask = <K extends CallName>(name: K, input?: Input) => Promise<Answer<K>>

/** Calls the API in process, as the customer of this page. */
export function askAsCustomer({ locals: { app, customer } }: Pick<AstroGlobal, 'locals'>): Ask {
  if (!customer) throw new Error('This page needs a customer: take its route off the open list in src/lib/domain/access/guard.ts')
  return (name, input) => app.ask(customer, name, input)
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

/** The answer, or the error code of the failure. */
export async function orCode<T>(asked: Promise<T>): Promise<{ data: T; code: undefined } | { data: undefined; code: string }> {
  const { data, failure } = await orFailure(asked)
  return failure ? { data: undefined, code: failure.code } : { data, code: undefined }
}
