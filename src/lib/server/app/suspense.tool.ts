/** `npm run custody`: lists coins that arrived and belong to nobody yet, and sends them back. */
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { networkNamesOf } from '../chains/settings.ts'
import { suspendedCoins, suspendedOf } from '../deposits/index.ts'
import { mayStill } from '../staff/index.ts'
import { orderReturn, type ReturnRefusal } from '../withdrawals/index.ts'
import { decision, printable, runCommand } from './command.ts'
import { processConfig } from './config.ts'

const USAGE = `npm run custody -- list
npm run custody -- return COINS ADDRESS --as FILE --why "REASON"

COINS is one of the list, e.g. deposit:12 or surplus:3. Two persons of finance credit them to a customer, or keep them, at the desk (page
House). return sends them to ADDRESS, less the fee of a withdrawal, once two persons have typed the same, each with their own key: FILE holds
your own Ed25519 private key (PEM), whose public one the signer knows (OPERATOR_KEYS), by the e-mail that you have at the desk.`

const RETURN_REFUSALS: Record<ReturnRefusal, string> = {
  unknown: 'There are no such coins in suspense, or they were decided about before.',
  no_token: 'We send no coins of this token: it can only be kept.',
  no_address: 'This is no address of the chain.',
  ours: 'This is an address of a customer or of the house, or the contract of a token. Coins of a customer are credited instead.',
  too_small: 'After the fee it is too little for a payment: it can only be credited or kept.',
  signed_before: 'You have signed this already. Another person types the same.',
  unproven:
    'The coins are at an address that the signer did not sign, and it may not have the key. Find out whose key it is; until then they can only be kept.'
}
const isCoins = (text: string) => /^(deposit|surplus):[1-9]\d{0,17}$/.test(text)

await runCommand(USAGE, {
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
  return: decision({
    words: [isCoins, (address) => address.length > 0],
    right: 'decide_coins',
    run: async (context, { words: [coins = '', to = ''], key, actor, why }) => {
      const { chains } = processConfig()
      const settings = {
        networks: chains.networks,
        networkNames: networkNamesOf(chains),
        contracts: Object.values(chains.ethereum.contracts)
      }
      const ordered = await orderReturn(context, settings, {
        suspended: suspendedOf(coins),
        to,
        key,
        actor,
        why,
        mayStill: (db, id) => mayStill(db, id, 'decide_coins')
      })
      if (ordered === 'ordered')
        console.log('Ordered. The signer pays it with its next run; it is booked once the chain has confirmed it.')
      else if (ordered === 'one_more') console.log('Signed by you. Another person types the same with their own key.')
      else console.error(RETURN_REFUSALS[ordered])
      return ordered === 'ordered' || ordered === 'one_more' ? 0 : 1
    }
  })
})
