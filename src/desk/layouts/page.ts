/** What a page of the desk asks for, as the person who is signed in. */
import type { DeskCallName } from '#lib/contract/desk/calls.ts'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'

type Values = { params?: Record<string, string>; query?: Record<string, string> }

/** Throws where nobody is signed in, which the middleware does not let through, and what the call refuses. */
export function ask<K extends DeskCallName>({ desk, staff }: App.Locals, name: K, values?: Values): Promise<DeskAnswer<K>> {
  if (!desk || !staff) throw new Error('A page of the desk needs a person')
  return desk.ask(staff, name, values)
}

/** The same; undefined where there is no such thing, or no right to it. */
export async function find<K extends DeskCallName>(
  locals: App.Locals,
  name: K,
  values?: Values
): Promise<DeskAnswer<K> | undefined> {
  try {
    return await ask(locals, name, values)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'not_found' || code === 'invalid_request' || code === 'right_missing' || code === 'invalid_fields')
      return undefined
    throw error
  }
}
