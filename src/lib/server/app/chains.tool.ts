/** `npm run chains`: shows how far each chain was read; stops or resumes reading one. */
import { CHAINS, isChain } from '#lib/domain/chains/chains.ts'
import { findStop, newestHeights, resumeChain, retireAddresses, stopChain } from '../chains/index.ts'
import { actorText } from '../platform/actor.ts'
import { chainParts } from './chains.ts'
import { runCommand } from './command.ts'
import { processConfig } from './config.ts'

const USAGE = `npm run chains -- list
npm run chains -- stop CHAIN --by NAME --why "REASON"
npm run chains -- resume CHAIN [--from HEIGHT] --by NAME --why "REASON"
npm run chains -- retire-addresses --by NAME --why "REASON"

CHAIN is ${CHAINS.join(', ')}. A stopped chain is not read, so that nothing is credited or taken back. --from reads it
again from a block on: what was booked since is taken back, and booked anew where it is still on the chain.
retire-addresses sets all free addresses aside, after a backup was put back: somebody may have been given one of them since.`

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
  stop: {
    words: [isChain],
    signed: 'decision',
    run: async (context, { words: [chain = ''], ...by }) => {
      if (isChain(chain)) await stopChain(context, chain, by)
      return 0
    }
  },
  'retire-addresses': {
    signed: 'decision',
    run: async (context, { actor, why }) => {
      const counts = await retireAddresses(context)
      context.log.warn({ by: actorText(actor), why, counts }, 'free addresses were set aside')
      for (const one of CHAINS) console.log(`${one}  ${counts[one] ?? 0} addresses were set aside.`)
      return 0
    }
  },
  resume: {
    words: [isChain],
    options: { from: (text) => /^\d{0,9}$/.test(text) },
    signed: 'decision',
    run: async (context, { words: [chain = ''], options: { from = '' }, ...by }, ports) => {
      if (!isChain(chain) || !(await findStop(context.db, chain))) {
        console.error(`${chain} is not stopped.`)
        return 1
      }
      const fromHeight = from === '' ? undefined : Number(from)
      const { following, close } = chainParts(context, processConfig(), ports)
      try {
        await resumeChain(context, await ports.chainNode(chain), following, { ...by, fromHeight })
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        console.error(error.message)
        return 1
      } finally {
        close()
      }
      console.log(`${chain} goes on.`)
      return 0
    }
  }
})
