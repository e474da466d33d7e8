/** What every signed-in page needs first. */
import type { AstroGlobal } from 'astro'
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer } from '#lib/contract/types.ts'

type Input = { params?: Record<string, string | number>; query?: Record<string, string | number> }
type Ask = <K extends CallName>(name: K, input?: Input) => Promise<Answer<K>>

/** The API, in process, as the customer of this page. */
export function askAsCustomer({ locals: { app, customer } }: Pick<AstroGlobal, 'locals'>): Ask {
  if (!customer) throw new Error('This page needs a customer: take its route off the open list in src/lib/domain/access/guard.ts')
  return (name, input) => app.ask(customer, name, input)
}

/** The answer, or the code of its failure. */
export async function orCode<T>(asked: Promise<T>): Promise<{ data: T; code: undefined } | { data: undefined; code: string }> {
  try {
    return { data: await asked, code: undefined }
  } catch (error) {
    const code = error instanceof Error && 'failure' in error ? (error.failure as { code: string }).code : undefined
    if (code === undefined || code === 'internal') throw error
    return { data: undefined, code }
  }
}
