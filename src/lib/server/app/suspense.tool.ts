/** `npm run custody`: coins that arrived and are nobody's yet, what an operator decides about them, and refills out of cold storage. */
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { decideSuspended, type SuspenseRefusal, suspendedCoins } from '../deposits/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { printable, runCommand } from './command.ts'
import { refillVerbs } from './refill.ts'

const USAGE = `npm run custody -- list
npm run custody -- credit COINS EMAIL --by NAME --why "REASON"
npm run custody -- keep COINS --by NAME --why "REASON"
npm run custody -- refill TOKEN AMOUNT
npm run custody -- sent FILE --by NAME

COINS is one of the list, e.g. deposit:12 or surplus:3. credit books them to a customer's spot account, from where they can be withdrawn;
keep books them to our treasury. Each is decided once.

refill writes an unsigned transaction that brings AMOUNT coins, e.g. BTC 0.5, from cold storage to the hot wallet, into a file of the
current folder: a PSBT for Bitcoin, bytes in hexadecimal for the others. Sign it on the offline machine. sent checks what came back, stores
and broadcasts it. Both need the settings of cold storage that the signer has (COLD_BITCOIN, COLD_ETHEREUM, COLD_CPC).`

const REFUSALS: Record<SuspenseRefusal, string> = {
  unknown: 'There are no such coins in suspense, or they were decided about before.',
  no_customer: 'There is no customer with this address.',
  no_token: 'We hold no balances in this token: it can only be kept.'
}
const COINS = /^(deposit|surplus):(\d{1,18})$/
const isCoins = (text: string) => COINS.test(text)

async function decide(context: Context, coins: string, made: { email?: string; actor: Actor; why: string }): Promise<number> {
  const [, kind, id = '0'] = COINS.exec(coins) ?? []
  const suspended = { kind: kind === 'surplus' ? 'surplus' : 'deposit', id: BigInt(id) } as const
  const refusal = await decideSuspended(context, suspended, made)
  if (refusal) console.error(REFUSALS[refusal])
  else console.log('Booked.')
  return refusal ? 1 : 0
}

await runCommand(USAGE, {
  ...refillVerbs,
  list: {
    run: async ({ db }) => {
      const coins = await suspendedCoins(db)
      if (coins.length === 0) console.log('No coins are in suspense.')
      for (const { kind, id, currency, amount, about, at } of coins) {
        const shown = isChainToken(currency)
          ? `${formatExactUnits(amount, currency)} ${currency}`
          : `${amount} of ${printable(currency)}`
        console.log(`${kind}:${id}  ${at.toISOString()}  ${shown}  ${about}`)
      }
      return 0
    }
  },
  credit: {
    words: [isCoins, (email) => email.includes('@')],
    signed: 'decision',
    run: (context, { words: [coins = '', email = ''], actor, why }) => decide(context, coins, { email, actor, why })
  },
  keep: {
    words: [isCoins],
    signed: 'decision',
    run: (context, { words: [coins = ''], actor, why }) => decide(context, coins, { actor, why })
  }
})
