/** `npm run prices`: prices that are in doubt, and the operator's word that one is right. */
import { DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { confirmPrice, openDoubts } from '../rates/index.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run prices -- list
npm run prices -- confirm CURRENCY PRICE --by NAME --why "REASON"

CURRENCY is ${DEPOSITABLE.join(', ')}, PRICE the one that list shows. A price that moved by more than 30 %, or that differs by more than 10 % from the second source
(SECOND_PRICES_URL), is not used: the last one is, and payments for packages wait. Compare it with a third source before you confirm it.
A doubt ends by itself when the price comes back.`

await runCommand(USAGE, {
  list: {
    run: async ({ db }) => {
      const doubts = await openDoubts(db)
      if (doubts.length === 0) console.log('No price is in doubt.')
      for (const { currency, priceUsd, usedUsd, reason, foundAt } of doubts)
        console.log(`${currency}  $${priceUsd} instead of $${usedUsd}  ${reason}  since ${foundAt.toISOString()}`)
      return doubts.length > 0 ? 1 : 0
    }
  },
  confirm: {
    words: [(code) => DEPOSITABLE.some((known) => known === code), (price) => /^\d{1,12}(\.\d{1,24})?$/.test(price)],
    signed: 'decision',
    run: async (context, { words: [currency = '', price = ''], actor, why }) => {
      if (await confirmPrice(context, { currency, price, actor, why })) {
        console.log(`${currency} is used at $${price} from now on.`)
        return 0
      }
      console.error(`$${price} is not the price of ${currency} that is in doubt: list shows it.`)
      return 1
    }
  }
})
