/** Who did something, as the desk says it. */
const PARTS: Record<string, string> = {
  'system:bank': 'the bank',
  'system:command': 'the command line',
  'system:mail-link': 'the link of the mail'
}

/** The name of a member of staff; other actors as they are. */
export function nameOf(names: Map<string, string>, actor: string): string {
  const [kind, id = ''] = actor.split(/:(.*)/s)
  return kind === 'staff' ? (names.get(id) ?? id) : (PARTS[actor] ?? actor)
}
