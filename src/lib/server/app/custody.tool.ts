/** `npm run custody:verify`: compares the coins on the chains with the books; exits with 1 if they differ or a node has unread blocks. */
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { compareCustody, differencesOf } from '../withdrawals/index.ts'
import { runWithPorts } from './tool.ts'

await runWithPorts(async (context, { chainNode }) => {
  let isRight = true
  for (const chain of CHAINS) {
    const lines = await compareCustody(context, await chainNode(chain))
    if (!lines) {
      console.log(`${chain}: the node has blocks that are not read yet. Try again in a moment.`)
      isRight = false
      continue
    }
    for (const { token, onChain, expected, hot, claims } of lines) {
      const shown = (units: bigint) => formatExactUnits(units, token)
      console.log(`${token}  on the chain ${shown(onChain)}  by the books ${shown(expected)}  in the hot wallet ${shown(hot)}`)
      console.log(
        `     customers have ${shown(claims)}${claims > onChain ? `, ${shown(claims - onChain)} more than there are coins` : ''}`
      )
    }
    const differences = differencesOf(lines)
    if (differences.length > 0) isRight = false
    for (const difference of differences) console.error(`DIFFERENCE ${difference}`)
  }
  if (isRight) console.log('The coins are those of the books.')
  return isRight ? 0 : 1
})
