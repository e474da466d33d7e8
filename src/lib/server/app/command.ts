/** The operator's commands: which words and options each verb takes, who may not be left out, and the usage where something is missing. */
import { parseArgs } from 'node:util'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { readDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Ports } from './ports.ts'
import { runWithPorts } from './tool.ts'

/** A word or an option as typed; true if it may be used. */
type Check = (text: string) => boolean

export type Asked = {
  /** The words after the verb. */
  words: string[]
  /** Options without `--by` and `--why`; empty where one was not given. */
  options: Record<string, string>
  /** Who decided, and why: empty where the verb does not ask for it. */
  actor: Actor
  why: string
}
export type Verb = {
  words?: Check[]
  options?: Record<string, Check>
  /** `name`: needs `--by`; `decision`: needs `--by` and `--why`, which are kept. */
  signed?: 'name' | 'decision'
  /** Returns the exit code. */
  run: (context: Context, asked: Asked, ports: Ports) => Promise<number>
}

/** An amount of a token as typed, in smallest units. Zero if the text is no amount, or has more decimals than the token. */
export function unitsTyped(token: string, text: string): bigint {
  const [read, digits] = [readDecimal(text), decimalsOf(token)]
  return read && read.scale <= digits ? toUnits(read, digits, 'down') : 0n
}

const NAME = /^[\w.@-]{1,60}$/

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
  const { by = '', why = '', ...options } = values
  const fits = words.length === (verb.words ?? []).length && (verb.words ?? []).every((check, index) => check(words[index] ?? ''))
  const known = verb.options ?? {}
  const areOptionsRight =
    Object.keys(options).every((option) => Object.hasOwn(known, option)) &&
    Object.entries(known).every(([option, check]) => check(options[option] ?? ''))
  const isSigned = verb.signed === undefined || (NAME.test(by) && (verb.signed === 'name' || why.trim() !== ''))
  if (!fits || !areOptionsRight || !isSigned) return undefined
  return { verb, asked: { words, options, actor: { kind: 'staff', id: by }, why: why.trim() } }
}

function parse(args: string[]): { positionals: string[]; values: Record<string, string> } | undefined {
  const text = { type: 'string' } as const
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { by: text, why: text, ref: text, from: text, key: text, most: text }
    })
    return { positionals, values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) }
  } catch {
    // An option that no command has.
    return undefined
  }
}
