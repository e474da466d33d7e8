/** What the line of a request says besides its path. Never an e-mail, a code, a token or a whole address. */

/**
 * `who`: the id of the customer or the person of the staff. `from`: their network, as limits count it. `code`: why it was refused. `route`: the
 * pattern of the path, which figures are counted by.
 */
type Notes = { who?: string; from?: string; code?: string; route?: string }

const notes = new WeakMap<object, Notes>()

/** `res`: undefined where a page calls in process; its own line says nothing of it then. */
export function note(res: object | undefined, more: Notes): void {
  if (res) notes.set(res, { ...notes.get(res), ...more })
}

export const notesOf = (res: object): Notes => notes.get(res) ?? {}
