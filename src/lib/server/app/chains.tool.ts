/** `npm run chains`: shows how far each chain was read; sets addresses aside after a backup was put back. */
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { findStop, newestHeights, retireAddresses } from '../chains/index.ts'
import { actorText } from '../platform/actor.ts'
import { decision, runCommand } from './command.ts'

const USAGE = `npm run chains -- list
npm run chains -- retire-addresses --as FILE --why "REASON"

Reading a chain is stopped by one person and resumed by two at the desk (page House): a stopped chain is not read, so that nothing is
credited or taken back. retire-addresses sets all free addresses aside, after a backup was put back: somebody may have been given one of them
since. FILE holds your own Ed25519 private key (PEM), whose public one OPERATOR_KEYS names by your e-mail.`

await runCommand(USAGE, {
  list: {
    run: async ({ db }) => {
      const heights = await newestHeights(db)
      let stopped = 0
      for (const one of CHAINS) {
        const stop = await findStop(db, one)
        if (stop) stopped += 1
        const state = stop ? `stopped ${stop.stoppedAt.toISOString()} by ${stop.actor}: ${stop.why}` : 'followed'
        console.log(`${one}  ${heights[one] === undefined ? 'not read yet' : `read up to block ${heights[one]}`}  ${state}`)
      }
      return stopped === 0 ? 0 : 1
    }
  },
  'retire-addresses': decision({
    right: 'halt_chain',
    run: async (context, { actor, why }) => {
      const counts = await retireAddresses(context)
      context.log.warn({ by: actorText(actor), why, counts }, 'free addresses were set aside')
      for (const one of CHAINS) console.log(`${one}  ${counts[one] ?? 0} addresses were set aside.`)
      return 0
    }
  })
})
