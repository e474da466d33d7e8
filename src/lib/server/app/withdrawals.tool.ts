/** `npm run withdrawals`: the withdrawals under way, what a person decides by a key in a file, and halting a chain. */
import { eq } from 'drizzle-orm'
import { CHAINS, isChain, NATIVE } from '#lib/domain/chains/chains.ts'
import { personsForOrder } from '#lib/domain/chains/orders.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { chainSends, lostSends, openStops, orderSend, stopChain } from '../chains/index.ts'
import { networkNamesOf } from '../chains/settings.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { deskSettings, findPersonByEmail } from '../staff/index.ts'
import { type Approval, approveWithdrawal, openWithdrawals, withdrawalWithEmail } from '../withdrawals/index.ts'
import { decision, runCommand } from './command.ts'
import { processConfig } from './config.ts'

const USAGE = `npm run withdrawals -- list
npm run withdrawals -- halt CHAIN --as FILE --why "REASON"
npm run withdrawals -- approve WITHDRAWAL --as FILE --why "REASON"
npm run withdrawals -- bump PAYMENT --most FEE --as FILE --why "REASON"
npm run withdrawals -- cancel PAYMENT --most FEE --as FILE --why "REASON"

FILE holds your own Ed25519 private key (PEM). OPERATOR_KEYS has the public one with the e-mail that you have at the desk: what you may do
here is what you may do there, and is kept in its audit log. Everything else is decided at the desk: reject, resume, lost payments.

CHAIN is ${CHAINS.join(', ')}. While a chain is halted, nothing is signed or sent on it; two persons resume it at the desk.

A signed payment (of a withdrawal: its number) that no block takes: bump lets the signer pay a network fee of at most FEE, e.g. 0.002 in the
chain's own token; above three times our fee, two persons must order the same. cancel, by two, lets it send the same nonce or coins to
ourselves instead; once that is deep in the chain, the customer has the amount back. Whichever of the two the chain takes counts, and only
that.`

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

const APPROVED: Record<Approval, string> = {
  approved: 'The signer signs it next if it knows this key.',
  one_more: 'Another person must approve it, too.',
  not_waiting: 'It does not wait for an approval.',
  approved_before: 'You have approved it already. Another person must approve it, too.'
}

/** True if a payment is a withdrawal of the person's own account, as a customer: another person decides it. Says so. */
async function isOwn({ db }: Context, id: string, actor: Actor): Promise<boolean> {
  const email = (await withdrawalWithEmail(db, id))?.email
  const person = email === undefined ? undefined : await findPersonByEmail(db, email)
  if (person?.id !== actor.id) return false
  console.error('This is a withdrawal of your own. Somebody else must decide it.')
  return true
}

const approve = decision({
  words: [isId],
  right: 'approve_withdrawal',
  run: async (context, { words: [id = ''], key, actor, why }) => {
    if (await isOwn(context, id, actor)) return 1
    const { withdrawal_two_above: twoAboveCents } = await deskSettings(context.db)
    const networks = { networkNames: networkNamesOf(processConfig().chains) }
    const made = await approveWithdrawal(context, networks, { id, actor, why, key, twoAboveCents })
    const says = APPROVED[made]
    if (made === 'approved' || made === 'one_more') console.log(`Approved with key ${key.publicKey}. ${says}`)
    else console.error(says)
    return made === 'approved' || made === 'one_more' ? 0 : 1
  }
})

/** An order about a stuck payment, signed by the person. */
const order = (kind: 'bump' | 'cancel') =>
  decision({
    words: [isId],
    options: { most: (text) => /^\d{1,9}(\.\d{1,18})?$/.test(text) },
    right: kind === 'bump' ? 'bump_payment' : 'cancel_payment',
    run: async (context, { words: [sendId = ''], options, key, actor, why }) => {
      const [send] = await context.db.select().from(chainSends).where(eq(chainSends.id, sendId))
      if (!send) {
        console.error('There is no such payment.')
        return 1
      }
      if (await isOwn(context, sendId, actor)) return 1
      const mostFee = toUnits(decimal(options.most ?? '0'), decimalsOf(NATIVE[send.chain]), 'down')
      if (await orderSend(context, { sendId, kind, mostFee }, { key, actor, why })) {
        const needed = personsForOrder({ kind, mostFee }, send.mostFee)
        console.log(
          needed === 1
            ? 'Ordered. The signer carries it out with its next run.'
            : 'Ordered by you. Another person must order the same, with the same fee.'
        )
        return 0
      }
      console.error('It is not under way, or its chain cannot do this: a CPC payment expires by itself.')
      return 1
    }
  })

await runCommand(USAGE, {
  bump: order('bump'),
  cancel: order('cancel'),
  list: { run: list },
  approve,
  halt: decision({
    words: [isChain],
    right: 'halt_chain',
    run: async (context, { words: [chain = ''], actor, why }) => {
      if (isChain(chain)) await stopChain(context, chain, { actor, why }, 'sending')
      console.log(`Nothing is signed or sent on ${chain} any more.`)
      return 0
    }
  })
})
