/** How the desk names people: staff by their names, customers by masked addresses. */

/** The names of staff, by their ids. */
export type Names = Map<string, string>

/** Actors that are no persons. */
const PARTS: Record<string, string> = {
  'system:bank': 'the bank',
  'system:command': 'the command line',
  'system:mail-link': 'the link of the mail'
}

/** The name of a member of staff; other actors as they are. */
export function nameOf(names: Names, actor: string): string {
  const [kind, id = ''] = actor.split(/:(.*)/s)
  return kind === 'staff' ? (names.get(id) ?? id) : (PARTS[actor] ?? actor)
}

/** The first letter of each part: enough to tell two customers apart, too little to write to one. */
export const masked = (email: string) => email.replace(/^(.)[^@]*@(.).*$/, '$1…@$2…')
