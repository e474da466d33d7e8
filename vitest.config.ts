import { defineConfig } from 'vitest/config'

const API_TIMEOUT_MS = 60_000
/** A test of the built server starts it up to twice. On a busy machine the first start of an embedded database can take over 30 seconds. */
const TWO_STARTS_MS = 120_000
const node = { environment: 'node', testTimeout: API_TIMEOUT_MS, hookTimeout: API_TIMEOUT_MS } as const
/**
 * Files that share their worker's modules: each imports most of the server, which takes a third of their time. Nothing in our modules outlives
 * a test but caches by database, key or text.
 */
const together = { ...node, isolate: false } as const
/** Tests that kill processes. Their database waits for the disk at each commit. */
const KILLS = 'tests/server/**/{kill,*Kill}.test.ts'

/**
 * The tests of the API run on PostgreSQL, all of them. On the embedded database run those whose path is another one there: bookings and
 * their locks, jobs, notifications, migrations, large reads. `npm test -- --both` runs all of them on both.
 */
const EMBEDDED = [
  'ledger/*',
  'p2p/*',
  'documents/*',
  'news/*',
  'chains/follow',
  'platform/{cleanUp,definitions,jobs,limitedReads,limits,migration,sameAnswers,steps}'
]

export default defineConfig({
  test: {
    // As many as the smallest machine has cores; the default would leave one of two idle.
    maxWorkers: 2,
    projects: [
      { test: { ...together, name: 'architecture', include: ['tests/architecture/**/*.test.ts'] } },
      { test: { ...together, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          ...together,
          name: 'api-pglite',
          include: (process.env.BOTH_ENGINES ? ['**/*'] : EMBEDDED).map((name) => `tests/api/${name}.test.ts`),
          env: { ENGINE: 'pglite' },
          globalSetup: ['tests/support/pglite.ts']
        }
      },
      {
        test: {
          ...together,
          name: 'api-postgres',
          include: ['tests/api/**/*.test.ts'],
          env: { ENGINE: 'postgres' },
          globalSetup: ['tests/support/postgres.ts']
        }
      },
      {
        test: {
          ...node,
          testTimeout: TWO_STARTS_MS,
          hookTimeout: TWO_STARTS_MS,
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          exclude: [KILLS],
          globalSetup: ['tests/support/postgres.ts']
        }
      },
      { test: { ...node, name: 'kills', include: [KILLS], globalSetup: ['tests/support/durablePostgres.ts'] } },
      { test: { ...node, name: 'lighthouse', include: ['tests/lighthouse/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'screens',
          include: ['tests/screens/**/*.test.ts'],
          setupFiles: ['tests/support/browser.ts'],
          globalSetup: ['tests/support/pglite.ts']
        }
      }
    ]
  }
})
