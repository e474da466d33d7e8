/**
 * `npm run custody:verify`: compares the coins on the chains with the books and with what customers have; exits with 1 if they differ, if
 * customers have more than there is, or if a node has unread blocks.
 */
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { compareCustody, differencesOf, uncoveredOf } from '../withdrawals/index.ts'
import { addressProof } from './chains.ts'
import { processConfig } from './config.ts'
import { runWithPorts } from './tool.ts'

const proof = addressProof(processConfig().chains)

await runWithPorts(async (context, { chainNode }) => {
  let isRight = true
  for (const chain of CHAINS) {
    const lines = await compareCustody(context, await chainNode(chain), proof)
    if (!lines) {
      console.log(`${chain}: the node has blocks that are not read yet. Try again in a moment.`)
      isRight = false
      continue
    }
    for (const { token, onChain, expected, hot, cold, claims, owed } of lines) {
      const shown = (units: bigint) => formatExactUnits(units, token)
      console.log(`${token}  on the chain ${shown(onChain)}  by the books ${shown(expected)}`)
      console.log(`     in the hot wallet ${shown(hot)}  in cold storage ${shown(cold)}`)
      console.log(`     customers have ${shown(claims)}${owed > 0n ? `, ${shown(owed)} of it sold or given without coins` : ''}`)
    }
    const [differences, uncovered] = [differencesOf(lines), uncoveredOf(lines)]
    if (differences.length + uncovered.length > 0) isRight = false
    for (const difference of differences) console.error(`DIFFERENCE ${difference}`)
    for (const line of uncovered) console.error(`NOT COVERED ${line}`)
  }
  if (isRight) console.log('The coins are those of the books, and cover what customers have.')
  return isRight ? 0 : 1
})
