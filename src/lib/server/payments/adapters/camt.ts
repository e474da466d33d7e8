/**
 * Reads the bank's statements: ISO 20022 camt.053, versions 02 and 08. (camt.054 reports the same money again under other
 * references: taking both would book it twice.) Each entry is parsed on its own, so that an unreadable one does not block the
 * others.
 */
import { factsOf } from '#lib/domain/payments/facts.ts'
import { hashToken } from '../../platform/crypto.ts'
import { at, list, text, UnreadableError, xmlReader } from '../../platform/xml.ts'
import type { BankEntry, BankStatement, UnreadableEntry } from '../port.ts'

const parse = xmlReader(new Set(['Stmt', 'Ntry', 'TxDtls', 'Ustrd', 'Strd', 'NtryDtls', 'Bal']))

const AMOUNT = /^\d{1,15}(?:\.(\d{1,2}))?$/
const DAY = /^\d{4}-\d{2}-\d{2}/
/** Written by banks that have no reference of their own. */
const NO_REFERENCE = new Set(['NONREF', 'NOTPROVIDED', 'NOTAVAILABLE', 'NONE', 'N/A', '-', '0'])

/** Before the reference of outgoing money: a bank may use one for both. */
const DEBIT = 'debit/'

type Amount = { amountCents: bigint; currency: string }
type Direction = BankEntry['direction']

/**
 * The statements of the account `iban`, and a problem for each statement of another account. Throws UnreadableError if the file is
 * not camt.053.
 */
export function readCamt(xml: string, iban: string): { statements: BankStatement[]; problems: string[] } {
  const found = list(at(parse(xml), 'Document', 'BkToCstmrStmt'), 'Stmt')
  if (found.length === 0) throw new UnreadableError('This is no camt.053 file')
  const [ours, others] = [[] as unknown[], [] as string[]]
  const seen = new Map<string, number>()
  for (const statement of found) {
    if (plainIban(accountOf(statement)) === plainIban(iban)) ours.push(statement)
    else others.push(accountOf(statement) || 'an account without an IBAN')
  }
  return {
    statements: ours.map((statement) => readStatement(statement, seen)),
    problems: others.map((account) => `A statement is of ${account}, not of our account ${iban}`)
  }
}

const plainIban = (iban: string) => iban.replace(/\s/g, '').toUpperCase()

function accountOf(statement: unknown): string {
  return text(at(statement, 'Acct', 'Id', 'IBAN')) || text(at(statement, 'Acct', 'Id', 'Othr', 'Id'))
}

function readStatement(statement: unknown, seen: Map<string, number>): BankStatement {
  const iban = plainIban(accountOf(statement))
  const statementId = text(at(statement, 'Id'))
  const entries = list(statement, 'Ntry').flatMap((entry) => readEntry(entry, statementId))
  const [opening, closing] = [balanceOf(statement, ['OPBD', 'PRCD']), balanceOf(statement, ['CLBD'])]
  return {
    statementId,
    iban,
    datedOn: opening.datedOn ?? closing.datedOn ?? text(at(statement, 'CreDtTm')).slice(0, 10),
    closedOn: closing.datedOn ?? opening.datedOn,
    openingCents: opening.cents,
    closingCents: closing.cents,
    entries: nameEntries(iban, entries, seen).map((entry) =>
      'unreadable' in entry ? entry : { ...entry, toldOn: closing.datedOn ?? opening.datedOn }
    ),
    problems: [opening.problem, closing.problem].filter((problem) => problem !== undefined)
  }
}

type Balance = { cents: bigint | undefined; datedOn: string | undefined; problem: string | undefined }

function balanceOf(statement: unknown, codes: string[]): Balance {
  const balances = list(statement, 'Bal')
  const balance = codes.map((code) => balances.find((one) => text(at(one, 'Tp', 'CdOrPrtry', 'Cd')) === code)).find(Boolean)
  const datedOn = dayOf(at(balance, 'Dt'))
  if (!balance) return { cents: undefined, datedOn, problem: undefined }
  try {
    const { amountCents } = amountOf(at(balance, 'Amt'), 'A balance', { mayBeZero: true })
    return { cents: directionOf(balance) === 'debit' ? -amountCents : amountCents, datedOn, problem: undefined }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return { cents: undefined, datedOn, problem: error.message }
  }
}

/** Each kind of faulty amount has its own message, because the operator has to ask the bank about it. */
function amountOf(node: unknown, what: string, { mayBeZero = false } = {}): Amount {
  const written = text(node)
  const currency = text(at(node, '@Ccy'))
  if (written === '') throw new UnreadableError(`${what} has no amount`)
  if (written.includes(',')) throw new UnreadableError(`${what} has an amount with a comma: "${written}"`)
  if (/^\d+\.\d{3,}$/.test(written)) throw new UnreadableError(`${what} has an amount with more than two decimals: "${written}"`)
  if (!AMOUNT.test(written)) throw new UnreadableError(`${what} has an amount that cannot be read: "${written}"`)
  if (currency === '') throw new UnreadableError(`${what} has an amount without a currency: "${written}"`)
  const [whole = '0', fraction = ''] = written.split('.')
  const amountCents = BigInt(`${whole}${fraction.padEnd(2, '0')}`)
  if (amountCents === 0n && !mayBeZero) throw new UnreadableError(`${what} has an amount of zero`)
  return { amountCents, currency }
}

function directionOf(node: unknown): Direction {
  const written = text(at(node, 'CdtDbtInd'))
  if (written === 'CRDT') return 'credit'
  if (written === 'DBIT') return 'debit'
  throw new UnreadableError(`An entry says neither that it is a credit nor that it is a debit: "${written}"`)
}

/** Only booked entries count; a pending one is delivered again once it is booked. */
function isBooked(entry: unknown): boolean {
  if (at(entry, 'Sts') === undefined) return true
  return (text(at(entry, 'Sts', 'Cd')) || text(at(entry, 'Sts'))) === 'BOOK'
}

function dayOf(node: unknown): string | undefined {
  const found = DAY.exec(text(at(node, 'Dt')) || text(at(node, 'DtTm')))?.[0]
  // Some days do not exist, e.g. 2026-02-30, and no database takes them.
  const isReal =
    found !== undefined &&
    new Date(`${found}T00:00:00Z`).toString() !== 'Invalid Date' &&
    new Date(`${found}T00:00:00Z`).toISOString().startsWith(found)
  return isReal ? found : undefined
}

function referenceOf(...nodes: unknown[]): string {
  return nodes.map(text).find((one) => one !== '' && !NO_REFERENCE.has(one.toUpperCase())) ?? ''
}

function remittanceOf(details: unknown): string {
  const structured = list(details, 'RmtInf', 'Strd').map((item) => text(at(item, 'CdtrRefInf', 'Ref')))
  const unstructured = list(details, 'RmtInf', 'Ustrd').map(text)
  const endToEnd = referenceOf(at(details, 'Refs', 'EndToEndId'))
  return [...structured, ...unstructured, endToEnd].filter(Boolean).join(' ')
}

/** `shared`: of a part of an entry without a reference of its own, that of the entry, and the ids that its parts may have. */
type Draft = Omit<BankEntry, 'entryId'> & { reference: string; shared?: { reference: string; ids: string[] } }

function readEntry(entry: unknown, statementId: string): (Draft | UnreadableEntry)[] {
  if (!isBooked(entry)) return []
  try {
    return draftsOf(entry, statementId)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return [{ unreadable: error.message }]
  }
}

function draftsOf(entry: unknown, statementId: string): Draft[] {
  const direction = directionOf(entry)
  const whole = amountOf(at(entry, 'Amt'), 'An entry')
  const bookedOn = dayOf(at(entry, 'BookgDt')) ?? dayOf(at(entry, 'ValDt'))
  if (!bookedOn) throw new UnreadableError(`An entry of ${text(at(entry, 'Amt'))} ${whole.currency} has no booking date`)
  const days = { bookedOn, valueOn: dayOf(at(entry, 'ValDt')) ?? bookedOn }
  const details = list(entry, 'NtryDtls').flatMap((part) => list(part, 'TxDtls'))
  const own = referenceOf(at(entry, 'AcctSvcrRef'))
  const former = text(at(entry, 'AcctSvcrRef')) || `${statementId}/${text(at(entry, 'NtryRef'))}`
  const parts = details.length > 0 ? details : [undefined]
  const nested = parts.map((part) => referenceOf(at(part, 'Refs', 'AcctSvcrRef')))
  const amounts = parts.length > 1 ? partAmounts(parts, whole, direction) : [{ ...whole, direction }]
  const ids = parts.flatMap((_, place) => [`${own}/${place}`, `${DEBIT}${own}/${place}`])
  return parts.map((part, index) => {
    const amount = amounts[index] ?? { ...whole, direction }
    const ofPart = nested[index] ?? ''
    // Many banks repeat the entry's reference in every part; such a reference identifies no part.
    const isOwn = ofPart !== '' && ofPart !== own && nested.filter((one) => one === ofPart).length === 1
    const reference = isOwn ? ofPart : parts.length > 1 ? own && `${own}/${index}` : own || ofPart
    const side = amount.direction === 'debit' ? 'Cdtr' : 'Dbtr'
    const endToEndId = referenceOf(at(part, 'Refs', 'EndToEndId'))
    return {
      ...amount,
      ...days,
      reference,
      ...(!isOwn && parts.length > 1 && own !== '' && { shared: { reference: own, ids } }),
      formerIds: [parts.length > 1 ? `${former}/${index}` : former],
      remittance: remittanceOf(part),
      payerName: text(at(part, 'RltdPties', side, 'Pty', 'Nm')) || text(at(part, 'RltdPties', side, 'Nm')),
      payerIban: text(at(part, 'RltdPties', `${side}Acct`, 'Id', 'IBAN')),
      ...(endToEndId !== '' && { endToEndId }),
      ...(amount.direction === 'debit' && reference !== '' && { takesBack: reference })
    }
  })
}

/** The amounts of an entry's parts. Their signed sum must equal the entry's amount; otherwise the entry is unreadable. */
function partAmounts(parts: unknown[], whole: Amount, direction: Direction): (Amount & { direction: Direction })[] {
  const amounts = parts.map((part) => {
    const amount = amountOf(at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt'), 'A part of an entry')
    const said = at(part, 'CdtDbtInd') === undefined ? direction : directionOf(part)
    return { ...amount, direction: said }
  })
  const sum = amounts.reduce((total, part) => total + (part.direction === direction ? part.amountCents : -part.amountCents), 0n)
  if (sum !== whole.amountCents || amounts.some(({ currency }) => currency !== whole.currency)) {
    throw new UnreadableError(
      `The parts of an entry make ${sum} of the smallest unit, the entry says ${whole.amountCents} ${whole.currency}`
    )
  }
  return amounts
}

/**
 * Gives every entry its id: the bank's own reference, or without one a digest of the entry's facts; equal ones are numbered. So a
 * file that is delivered twice books once, and two equal payments book twice.
 */
function nameEntries(
  iban: string,
  entries: (Draft | UnreadableEntry)[],
  seen: Map<string, number>
): (BankEntry | UnreadableEntry)[] {
  const countOf = (key: string) => {
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return ordinal
  }
  const groups = new Map<string, { entries: BankEntry[]; ids: string[] }>()
  const named = entries.map((entry) => {
    if ('unreadable' in entry) return entry
    const made = nameOf(entry)
    const { reference, ids } = entry.shared ?? { reference: entry.reference, ids: [] }
    const group = groups.get(reference) ?? { entries: [], ids: [] }
    if (reference !== '') groups.set(reference, { entries: [...group.entries, made], ids: [...group.ids, ...ids, made.entryId] })
    return made
  })
  for (const group of groups.values()) if (group.ids.length > 1) noteOthers(group)
  return named

  function nameOf({ reference, shared: _, ...rest }: Draft): BankEntry {
    const prefix = rest.direction === 'debit' ? DEBIT : ''
    if (reference !== '') {
      const name = `${prefix}${reference}`
      let ordinal = countOf(name)
      // A reference of the bank may look like one of ours with its number: the next number then.
      while (ordinal > 0 && countOf(`${name}#${ordinal}`) > 0) ordinal = countOf(name)
      return { ...rest, entryId: ordinal > 0 ? `${name}#${ordinal}` : name }
    }
    const facts = [iban, rest.bookedOn, rest.amountCents, rest.currency, rest.payerName, rest.payerIban, rest.remittance]
    const fingerprint = `${prefix}facts:${hashToken(facts.join('\n')).slice(0, 22)}`
    return { ...rest, entryId: `${fingerprint}/${countOf(fingerprint)}` }
  }
}

function noteOthers({ entries, ids }: { entries: BankEntry[]; ids: string[] }): void {
  const before = new Map<string, number>()
  for (const entry of entries) {
    const facts = factsOf(entry)
    const alike = before.get(facts) ?? 0
    before.set(facts, alike + 1)
    entry.among = { ids: [...new Set(ids)], alike }
  }
}
