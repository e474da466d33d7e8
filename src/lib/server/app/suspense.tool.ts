/** `npm run custody`: coins that arrived and are nobody's yet, what an operator decides about them, and refills out of cold storage. */
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { networkNamesOf } from '../chains/settings.ts'
import { decideSuspended, type Suspended, type SuspenseRefusal, suspendedCoins } from '../deposits/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { orderReturn, type ReturnRefusal } from '../withdrawals/index.ts'
import { printable, runCommand } from './command.ts'
import { processConfig } from './config.ts'
import { readOperatorKey } from './operatorKey.ts'
import { refillVerbs } from './refill.ts'

const USAGE = `npm run custody -- list
npm run custody -- credit COINS EMAIL --by NAME --why "REASON"
npm run custody -- keep COINS --by NAME --why "REASON"
npm run custody -- return COINS ADDRESS --key FILE --by NAME --why "REASON"
npm run custody -- refill TOKEN AMOUNT
npm run custody -- sent FILE --by NAME

COINS is one of the list, e.g. deposit:12 or surplus:3. credit books them to a customer's spot account, from where they can be withdrawn;
keep books them to our treasury; return sends them to ADDRESS, less the fee of a withdrawal: FILE holds your own Ed25519 private key (PEM),
whose public one the signer knows (OPERATOR_KEYS). Each is decided once.

refill writes an unsigned transaction that brings AMOUNT coins, e.g. BTC 0.5, from cold storage to the hot wallet, into a file of the
current folder: a PSBT for Bitcoin, bytes in hexadecimal for the others. Sign it on the offline machine. sent checks what came back, stores
and broadcasts it. Both need the settings of cold storage that the signer has (COLD_BITCOIN, COLD_ETHEREUM, COLD_CPC).`

const REFUSALS: Record<SuspenseRefusal, string> = {
  unknown: 'There are no such coins in suspense, or they were decided about before.',
  no_customer: 'There is no customer with this address.',
  no_token: 'We hold no balances in this token: it can only be kept.'
}
const RETURN_REFUSALS: Record<ReturnRefusal, string> = {
  unknown: REFUSALS.unknown,
  no_token: 'We send no coins of this token: it can only be kept.',
  no_address: 'This is no address of the chain.',
  ours: 'This is an address of a customer or of the house, or the contract of a token. Coins of a customer are credited instead.',
  too_small: 'After the fee it is too little for a payment: it can only be credited or kept.',
  unproven:
    'The coins are at an address that the signer did not sign, and it may not have the key. Find out whose key it is; until then they can only be kept.'
}
const COINS = /^(deposit|surplus):(\d{1,18})$/
const isCoins = (text: string) => COINS.test(text)

function suspendedOf(coins: string): Suspended {
  const [, kind, id = '0'] = COINS.exec(coins) ?? []
  return { kind: kind === 'surplus' ? 'surplus' : 'deposit', id: BigInt(id) }
}

async function decide(context: Context, coins: string, made: { email?: string; actor: Actor; why: string }): Promise<number> {
  const refusal = await decideSuspended(context, suspendedOf(coins), made)
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
  return: {
    words: [isCoins, (address) => address.length > 0],
    options: { key: () => true },
    signed: 'decision',
    run: async (context, { words: [coins = '', to = ''], options, actor, why }) => {
      const { chains, withdrawals } = processConfig()
      const key = readOperatorKey(withdrawals, options.key ?? '')
      if (!key) return 1
      const settings = {
        networks: chains.networks,
        networkNames: networkNamesOf(chains),
        contracts: Object.values(chains.ethereum.contracts)
      }
      const refusal = await orderReturn(context, settings, { suspended: suspendedOf(coins), to, key, actor, why })
      if (refusal) console.error(RETURN_REFUSALS[refusal])
      else console.log('Ordered. The signer pays it with its next run; it is booked once the chain has confirmed it.')
      return refusal ? 1 : 0
    }
  },
  keep: {
    words: [isCoins],
    signed: 'decision',
    run: (context, { words: [coins = ''], actor, why }) => decide(context, coins, { actor, why })
  }
})
