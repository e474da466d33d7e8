import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/lib/server/platform/db/schema.ts', './src/lib/server/ledger/schema.ts'],
  out: './src/lib/server/db/migrations'
})
