/** `npm run health`: what is silent or wrong now; exits with 1 if anything is. */
import { processConfig } from './config.ts'
import { faultsOf } from './health.ts'
import { runTool } from './tool.ts'

await runTool(async ({ db }) => {
  const faults = await faultsOf({ db, clock: () => new Date() }, processConfig().withdrawals.owedMost)
  for (const { says } of faults) console.error(says)
  if (faults.length === 0) console.log('Everything that should go on goes on.')
  return faults.length === 0 ? 0 : 1
})
