/** The operator's commands: which words and options each verb takes, who may not be left out, and the usage where something is missing. */
import { parseArgs } from 'node:util'
import type { Right } from '#lib/domain/staff/rights.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { PrivateKey } from '../platform/ed25519.ts'
import { transact } from '../platform/transaction.ts'
import { findPersonByEmail, keepEntry, mayStill, staffActor } from '../staff/index.ts'
import { processConfig } from './config.ts'
import { readOperator } from './operatorKey.ts'
import type { Ports } from './ports.ts'
import { runWithPorts } from './tool.ts'

/** A word or an option as typed; true if it may be used. */
type Check = (text: string) => boolean

export type Asked = {
  /** The verb. */
  name: string
  /** The words after the verb. */
  words: string[]
  /** Options without `--as` and `--why`; empty where one was not given. */
  options: Record<string, string>
  /** The file with the key of the person who decides. Empty: the sandbox's key, or a verb that decides nothing. */
  as: string
  why: string
}
/** Who decides: a person of the staff, and their key. */
type Decider = { actor: Actor; key: PrivateKey }
export type Verb = {
  words?: Check[]
  options?: Record<string, Check>
  /** It needs `--as` and `--why`: a decision. */
  isDecision?: boolean
  /** Returns the exit code. */
  run: (context: Context, asked: Asked, ports: Ports) => Promise<number>
}
type Decision = Omit<Verb, 'run' | 'isDecision'> & {
  /** What a person of the staff needs for it. */
  right: Right
  run: (context: Context, asked: Asked & Decider, ports: Ports) => Promise<number>
}

/**
 * A verb that a person of the staff runs, by their key file: OPERATOR_KEYS says whose it is, the desk which rights they have. What was typed is
 * kept in the audit log before it runs.
 */
export function decision({ right, run, ...verb }: Decision): Verb {
  return {
    ...verb,
    isDecision: true,
    run: async (context, asked, ports) => {
      const operator = readOperator(processConfig().withdrawals, asked.as)
      if (!operator) return 1
      const person = await findPersonByEmail(context.db, operator.name)
      if (!person || !(await mayStill(context.db, person.id, right))) {
        console.error(
          person
            ? `${person.name} may not do this: the right ${right} is missing.`
            : `Nobody of the desk has the e-mail ${operator.name}, by which OPERATOR_KEYS names this key.`
        )
        return 1
      }
      const actor = staffActor(person)
      const { name, words, options, why } = asked
      // Signed, so that the entry shows by whose key it was typed.
      const typed = JSON.stringify([name, words, options, why, context.clock().toISOString()])
      const signature = operator.key.sign(Buffer.from(typed))
      const details = { typed, publicKey: operator.key.publicKey, signature }
      await transact(context, (work) =>
        keepEntry(work, { actor, act: `command:${name}`, subject: `command:${right}`, why, details })
      )
      return run(context, { ...asked, actor, key: operator.key }, ports)
    }
  }
}

/** Text that somebody else wrote, for a terminal: without line breaks, escape sequences and other characters that are not shown. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

/** Runs the verb of the command line. Anything that does not fit prints `usage` and exits with 2. */
export async function runCommand(usage: string, verbs: Record<string, Verb>): Promise<void> {
  const read = readCommand(verbs, process.argv.slice(2))
  if (!read) {
    console.error(usage)
    process.exit(2)
  }
  const { verb, asked } = read
  await runWithPorts((context, ports) => verb.run(context, asked, ports))
}

/** The verb of a command line, and what it was asked; undefined if something does not fit. */
export function readCommand(verbs: Record<string, Verb>, args: string[]): { verb: Verb; asked: Asked } | undefined {
  const { positionals, values } = parse(args) ?? { positionals: [], values: {} }
  const [name = '', ...words] = positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) return undefined
  const { as = '', why = '', ...options } = values
  const fits = words.length === (verb.words ?? []).length && (verb.words ?? []).every((check, index) => check(words[index] ?? ''))
  const known = verb.options ?? {}
  const areOptionsRight =
    Object.keys(options).every((option) => Object.hasOwn(known, option)) &&
    Object.entries(known).every(([option, check]) => check(options[option] ?? ''))
  if (!fits || !areOptionsRight || (verb.isDecision && why.trim() === '')) return undefined
  return { verb, asked: { name, words, options, as, why: why.trim() } }
}

function parse(args: string[]): { positionals: string[]; values: Record<string, string> } | undefined {
  const text = { type: 'string' } as const
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { as: text, why: text, most: text }
    })
    return { positionals, values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) }
  } catch {
    // An option that no command has.
    return undefined
  }
}
