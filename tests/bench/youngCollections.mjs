/**
 * Loaded into a server by `--import`: on SIGUSR2 it throws away what its young generation can throw away, and prints how many bytes are in use and how
 * many full collections there were.
 */
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
let full = 0
const count = (list) => {
  full += list.getEntries().filter(({ detail }) => detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR).length
}
new PerformanceObserver(count).observe({ entryTypes: ['gc'] })

process.on('SIGUSR2', () => {
  // What has survived one collection may be garbage by the next.
  for (let times = 0; times < 3; times += 1) collect({ type: 'minor' })
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  // Node reports a collection to the observer only after this function has returned: so the count is printed later.
  setTimeout(() => console.log(`in use: ${heapUsed + arrayBuffers} after ${full}`), 50)
})
