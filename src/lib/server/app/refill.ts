/** The verbs `refill` and `sent` of `npm run custody`: coins out of cold storage, signed on an offline machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CHAINS, type Chain, type ChainToken, chainOf, isChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { acceptRefill, chainOfFile, NodeError, RefillError, writeRefill } from '../chains/index.ts'
import { actorText } from '../platform/actor.ts'
import { processEnvironment } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { decision, unitsTyped, type Verb } from './command.ts'
import { processConfig } from './config.ts'
import type { Ports } from './ports.ts'
import { refillingOf } from './refilling.ts'

/** Relative to where the operator typed the command: npm runs it in the project's folder. */
const pathOf = (file: string) => resolve(processEnvironment().INIT_CWD ?? '.', file)

const refilling = (ports: Ports, chain: Chain) => refillingOf(processConfig().chains, ports, chain)

/** Prints what an operator must know, and exits with 1. */
async function orRefusal(act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RefillError || error instanceof NodeError)) throw error
    console.error(`${error.message}. Nothing was changed.`)
    return 1
  }
}

async function write(context: Context, ports: Ports, token: ChainToken, typed: string): Promise<number> {
  const chain = chainOf(token)
  const amount = unitsTyped(token, typed)
  if (amount === 0n) throw new RefillError(`"${typed}" is no amount of ${token} above zero`)
  const made = await refilling(ports, chain)
  const { file, plan } = await writeRefill(context, made, { token, amount })
  const at = context.clock().toISOString().slice(0, 19).replace(/[-:]/g, '')
  const path = pathOf(`refill-${token}-${at}.${made.format.extension}`)
  writeFileSync(path, file, { flag: 'wx' })
  console.log(`Written: ${path}`)
  console.log(`It pays ${formatExactUnits(amount, token)} ${token} to our hot wallet, ${plan.payout.to}, from`)
  for (const from of plan.coins.length > 0 ? plan.coins.map(({ outpoint }) => outpoint) : [plan.from?.address])
    console.log(`  ${from}`)
  if (plan.change)
    console.log(
      `and brings ${formatExactUnits(plan.change.amount, token)} ${token} back to cold storage, ${plan.change.address}.`
    )
  console.log(
    'Compare this with what the offline machine shows before it signs. Then: npm run custody -- sent SIGNED --as FILE --why "REASON"'
  )
  return 0
}

async function accept(context: Context, ports: Ports, name: string): Promise<number> {
  const path = pathOf(name)
  if (!existsSync(path)) throw new RefillError(`There is no file ${path}`)
  const file = readFileSync(path)
  const chain = chainOfFile(file)
  if (!chain) throw new RefillError(`${path} is no transaction of ${CHAINS.join(', ')}`)
  const made = await refilling(ports, chain)
  const { token, amount, transactionId, isBroadcast } = await acceptRefill(context, made, await made.format.read(file))
  console.log(`Stored: ${formatExactUnits(amount, token)} ${token} to the hot wallet, transaction ${transactionId}.`)
  console.log(
    isBroadcast
      ? 'It was broadcast. It is booked once the chain has confirmed it.'
      : 'It was not taken by the node, or sending is stopped on this chain: the worker broadcasts it once that is over.'
  )
  return 0
}

export const refillVerbs: Record<'refill' | 'sent', Verb> = {
  refill: {
    words: [isChainToken, (amount) => /^\d/.test(amount)],
    run: (context, { words: [token = '', amount = ''] }, ports) =>
      orRefusal(() => (isChainToken(token) ? write(context, ports, token, amount) : Promise.resolve(2)))
  },
  sent: decision({
    words: [(file) => file !== ''],
    right: 'refill',
    run: async (context, { words: [file = ''], actor, why }, ports) => {
      const code = await orRefusal(() => accept(context, ports, file))
      if (code === 0) context.log.info({ by: actorText(actor), why }, 'a refill from cold storage was accepted')
      return code
    }
  })
}
