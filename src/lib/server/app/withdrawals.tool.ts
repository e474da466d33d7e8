/** `npm run withdrawals`: the withdrawals under way, what an operator decides about one, and sending on a chain. */
import { eq } from 'drizzle-orm'
import { CHAINS, isChain, NATIVE } from '#lib/domain/chains/chains.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { chainSends, lostSends, openStops, orderSend, releaseSend, resumeSending, stopChain } from '../chains/index.ts'
import { networkNamesOf } from '../chains/settings.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { deskSettings, findPersonByEmail, staffActor } from '../staff/index.ts'
import {
  type Approval,
  approveWithdrawal,
  type ChargeRefusal,
  chargeLost,
  openWithdrawals,
  rejectWithdrawal
} from '../withdrawals/index.ts'
import { runCommand, type Verb } from './command.ts'
import { processConfig } from './config.ts'
import { readOperatorKey } from './operatorKey.ts'

const USAGE = `npm run withdrawals -- list
npm run withdrawals -- approve WITHDRAWAL --key FILE --by NAME --why "REASON"
npm run withdrawals -- reject WITHDRAWAL --by NAME --why "REASON"
npm run withdrawals -- halt CHAIN --by NAME --why "REASON"
npm run withdrawals -- resume CHAIN --ref NUMBER --by NAME --why "REASON"
npm run withdrawals -- bump PAYMENT --most FEE --key FILE --by NAME --why "REASON"
npm run withdrawals -- cancel PAYMENT --most FEE --key FILE --by NAME --why "REASON"
npm run withdrawals -- release PAYMENT --by NAME --why "REASON"
npm run withdrawals -- charge PAYMENT EMAIL --by NAME --why "REASON"

FILE holds your own Ed25519 private key (PEM); the signer knows the public one (OPERATOR_KEYS). The sandbox has a key
of its own, so that it needs no FILE. CHAIN is ${CHAINS.join(', ')}, NUMBER the highest of the reasons that list shows in parentheses:
those that came since stay. While a chain is halted, nothing is signed or sent on it. NAME and REASON are kept, and the
customer reads the reason of a rejection. A lost payment was signed, but the database no longer knows what for: released,
it is broadcast and booked as a loss; until then it holds its nonce or its coins. charge takes such a loss, once the chain has confirmed the
payment, from the customer whom the signer's journal names: their balance still has what they were paid.

A signed payment (of a withdrawal: its number) that no block takes: bump lets the signer pay a network fee of at most FEE, e.g. 0.002 in the
chain's own token. cancel lets it send the same nonce or coins to ourselves instead; once that is deep in the chain, the customer has the
amount back. Whichever of the two the chain takes counts, and only that.`

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

async function list(context: Context): Promise<number> {
  for (const one of CHAINS) {
    for (const stop of await openStops(context.db, one, 'sending'))
      console.log(`${one} is halted (${stop.id}) since ${stop.stoppedAt.toISOString()} by ${stop.actor}: ${stop.why}`)
  }
  for (const { id, currency, amount, receiver } of await lostSends(context.db))
    console.log(`LOST ${id}  ${formatExactUnits(amount, currency)} ${currency} to ${receiver}`)
  const open = await openWithdrawals(context)
  if (open.length === 0) console.log('No withdrawal is under way.')
  for (const { withdrawal, email } of open) {
    const { id, amount, currency, receiver, state, waits, requestedAt, usdCents } = withdrawal
    const worth = `$${(usdCents / 100n).toString()}`
    console.log(
      `${id}  ${requestedAt.toISOString()}  ${formatExactUnits(amount, currency)} ${currency} (${worth})  ${state}${waits ? `, waits: ${waits}` : ''}`
    )
    console.log(`    ${email} to ${receiver}`)
  }
  return 0
}

type Decide = (context: Context, made: { id: string; actor: Actor; why: string }) => Promise<unknown>

/** A decision about one withdrawal or payment, with the sentences for both ends. */
function decision(decide: Decide, done: string, refused: string): Verb {
  return {
    words: [isId],
    signed: 'decision',
    run: async (context, { words: [id = ''], actor, why }) => {
      if (await decide(context, { id, actor, why })) {
        console.log(done)
        return 0
      }
      console.error(refused)
      return 1
    }
  }
}

const { chains, withdrawals } = processConfig()

const APPROVED: Record<Approval, string> = {
  approved: 'The signer signs it next if it knows this key.',
  one_more: 'Another person must approve it, too.',
  not_waiting: 'It does not wait for an approval.',
  approved_before: 'You have approved it already. Another person must approve it, too.'
}

const approve: Verb = {
  words: [isId],
  options: { key: () => true },
  signed: 'decision',
  run: async (context, { words: [id = ''], options, actor, why }) => {
    const key = readOperatorKey(withdrawals, options.key ?? '')
    if (!key) return 1
    const { withdrawal_two_above: twoAboveCents } = await deskSettings(context.db)
    // Somebody of the desk is the same person here, so that a key and a passkey are no two approvals.
    const person = await findPersonByEmail(context.db, actor.id)
    const made = await approveWithdrawal(
      context,
      { networkNames: networkNamesOf(chains) },
      { id, actor: person ? staffActor(person) : actor, why, key, twoAboveCents }
    )
    const says = APPROVED[made]
    if (made === 'approved' || made === 'one_more') console.log(`Approved with key ${key.publicKey}. ${says}`)
    else console.error(says)
    return made === 'approved' || made === 'one_more' ? 0 : 1
  }
}

/** An order about a stuck payment, signed by the operator. */
function order(kind: 'bump' | 'cancel', done: string): Verb {
  return {
    words: [isId],
    options: { key: () => true, most: (text) => /^\d{1,9}(\.\d{1,18})?$/.test(text) },
    signed: 'decision',
    run: async (context, { words: [sendId = ''], options, actor, why }) => {
      const key = readOperatorKey(withdrawals, options.key ?? '')
      const [send] = await context.db.select().from(chainSends).where(eq(chainSends.id, sendId))
      if (!key || !send) {
        if (!send) console.error('There is no such payment.')
        return 1
      }
      const mostFee = toUnits(decimal(options.most ?? '0'), decimalsOf(NATIVE[send.chain]), 'down')
      if (await orderSend(context, { sendId, kind, mostFee }, { key, actor, why })) {
        console.log(done)
        return 0
      }
      console.error('It is not under way, or its chain cannot do this: a CPC payment expires by itself.')
      return 1
    }
  }
}

const CHARGE_REFUSALS: Record<ChargeRefusal, string> = {
  unknown: 'There is no such lost payment, or the chain has not confirmed it yet.',
  charged: 'It was charged before.',
  no_customer: 'There is no customer with this address.',
  not_theirs: 'The signer did not sign this payment for that customer, or it was signed before its journal kept whom for.'
}

const charge: Verb = {
  words: [isId, (email) => email.includes('@')],
  signed: 'decision',
  run: async (context, { words: [id = '', email = ''], actor, why }) => {
    const charged = await chargeLost(context, { id, email, actor, why })
    if (typeof charged === 'string') console.error(CHARGE_REFUSALS[charged])
    else if (charged.missing > 0n)
      console.error(`Nothing was booked: ${formatExactUnits(charged.missing, charged.currency)} ${charged.currency} are missing.`)
    else console.log('Booked.')
    return typeof charged === 'string' || charged.missing > 0n ? 1 : 0
  }
}

await runCommand(USAGE, {
  charge,
  bump: order('bump', 'Ordered. The signer replaces the payment with its next run, if the network asks for no more.'),
  cancel: order(
    'cancel',
    'Ordered. The signer takes its place with its next run; the amount is given back once the chain shows it.'
  ),
  list: { run: list },
  approve,
  reject: decision(rejectWithdrawal, 'Rejected. The customer has the amount back, and a mail.', 'It is signed already, or over.'),
  release: decision(releaseSend, 'Released. It is broadcast next.', 'There is no such lost payment.'),
  halt: {
    words: [isChain],
    signed: 'decision',
    run: async (context, { words: [chain = ''], ...by }) => {
      if (isChain(chain)) await stopChain(context, chain, by, 'sending')
      console.log(`Nothing is signed or sent on ${chain} any more.`)
      return 0
    }
  },
  resume: {
    words: [isChain],
    options: { ref: (text) => /^\d{1,18}$/.test(text) },
    signed: 'decision',
    run: async (context, { words: [chain = ''], options: { ref = '0' }, ...by }) => {
      const ended = isChain(chain) ? await resumeSending(context, chain, by, BigInt(ref)) : []
      if (ended.length === 0) {
        console.error(`${chain} is not halted for a reason up to ${ref}.`)
        return 1
      }
      for (const stop of ended) console.log(`Ended: ${stop.why} (${stop.actor}, ${stop.stoppedAt.toISOString()})`)
      const left = isChain(chain) ? await openStops(context.db, chain, 'sending') : []
      for (const stop of left) console.log(`Still halted (${stop.id}): ${stop.why}`)
      if (left.length === 0) console.log(`${chain} goes on.`)
      return 0
    }
  }
})
