/** `npm run chains`: shows how far each chain was read; stops or resumes reading one. */
import { parseArgs } from 'node:util'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { findStop, newestHeights, resumeChain, stopChain } from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { chainParts } from './chains.ts'
import { processConfig } from './config.ts'
import type { Ports } from './ports.ts'
import { runWithPorts } from './tool.ts'

const USAGE = `npm run chains -- list
npm run chains -- stop CHAIN --by NAME --why "REASON"
npm run chains -- resume CHAIN [--from HEIGHT] --by NAME --why "REASON"

CHAIN is ${CHAINS.join(', ')}. A stopped chain is not read, so that nothing is credited or taken back. --from reads it
again from a block on: what was booked since is taken back, and booked anew where it is still on the chain.`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { by: { type: 'string' }, why: { type: 'string' }, from: { type: 'string' } }
})
const [command, name] = positionals
const { by = '', why = '', from = '' } = values
const chain = CHAINS.find((one) => one === name)
const isComplete = chain !== undefined && /^[\w.@-]{1,60}$/.test(by) && why.trim() !== '' && /^\d{0,9}$/.test(from)

if (command !== 'list' && !(isComplete && (command === 'stop' || command === 'resume'))) {
  console.error(USAGE)
  process.exit(2)
}

async function list({ db }: Context): Promise<number> {
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

async function change(context: Context, ports: Ports): Promise<number> {
  if (!chain) return 2
  const made = { actor: { kind: 'staff', id: by }, why: why.trim() } as const
  if (command === 'stop') {
    await stopChain(context, chain, made)
    return 0
  }
  if (!(await findStop(context.db, chain))) {
    console.error(`${chain} is not stopped.`)
    return 1
  }
  const fromHeight = from === '' ? undefined : Number(from)
  const { following, close } = chainParts(context, processConfig(), ports)
  try {
    await resumeChain(context, await ports.chainNode(chain), following, { ...made, fromHeight })
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

await runWithPorts((context, ports) => (command === 'list' ? list(context) : change(context, ports)))
