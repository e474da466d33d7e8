/** `npm run prices`: prices that are in doubt. They are confirmed at the desk. */
import { openDoubts } from '../rates/index.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run prices -- list

A price that moved by more than 30 %, or that differs by more than 10 % from the second source (SECOND_PRICES_URL), is not used: the last one
is, and payments for packages wait. Two persons of finance confirm it at the desk (page House), after a look at a third source. A doubt ends
by itself when the price comes back.`

await runCommand(USAGE, {
  list: {
    run: async ({ db }) => {
      const doubts = await openDoubts(db)
      if (doubts.length === 0) console.log('No price is in doubt.')
      for (const { currency, priceUsd, usedUsd, reason, foundAt } of doubts)
        console.log(`${currency}  $${priceUsd} instead of $${usedUsd}  ${reason}  since ${foundAt.toISOString()}`)
      return doubts.length > 0 ? 1 : 0
    }
  }
})
