/**
 * A night on call: the signer falls silent, then a hot wallet is too low and is filled again from cold storage. The desk is a process of its own,
 * as in production; the test plays the worker and the signer, so that it says when each of them runs.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { type Application, compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { watchHealth } from '#lib/server/app/health.ts'
import { type Connection, openPostgres } from '#lib/server/platform/db/client.ts'
import { beat } from '#lib/server/platform/heartbeat.ts'
import { moveToCold, watchCustody } from '#lib/server/withdrawals/index.ts'
import { COLD_ENV, prove, signSandbox } from '#support/cold.ts'
import { freshDatabase } from '#support/databases.ts'
import { approveAt, deskUrl, inviteAdmin, personAt, picture, proposePerson } from '#support/deskTabs.ts'
import { expect, test } from '#support/journey.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'

const ENV = { ...COLD_ENV, COLD_DAY_USDC: '5000000', HOT_WALLET_CEILING_USD: '900000000' }
const shared = { E2E_DESK_URL: process.env.E2E_DESK_URL, E2E_DATABASE_URL: process.env.E2E_DATABASE_URL }
let desk: ServerProcess
let connection: Connection
let house: Application

test.beforeAll(async () => {
  test.skip(!process.env.E2E_POSTGRES_URL, 'it needs a database of its own, which it has where it starts the server itself')
  const databaseUrl = await freshDatabase(process.env.E2E_POSTGRES_URL ?? '')
  desk = await startServer({ ...ENV, DATABASE_URL: databaseUrl, ROLE: 'desk' })
  process.env.E2E_DESK_URL = desk.url.replace('127.0.0.1', 'desk.localhost')
  process.env.E2E_DATABASE_URL = databaseUrl
  connection = await openPostgres(databaseUrl, { poolSize: 5, onLost: () => undefined })
  house = await compose(readConfig({ ...ENV, LOG_LEVEL: 'silent' }), { connection, recurring: false })
  await house.sandbox?.chains.stock()
  for (const chain of CHAINS) {
    const [signing, wallet] = [await house.chains.signingOf?.(chain), await house.ports.coldWallet(chain)]
    if (signing && wallet) await prove(signing.journal, wallet)
  }
})
test.afterAll(async () => {
  Object.assign(process.env, shared)
  await desk?.stop()
  await house?.close()
})

const chains = () => {
  if (!house.sandbox) throw new Error('The sandbox has chains')
  return house.sandbox.chains
}
/** The worker looks at the rules and mails alarms. */
async function watch(): Promise<void> {
  await beat(house.context, 'role:worker')
  await watchHealth(house.context, readConfig({}).withdrawals.owedMost, deskUrl())
  await house.worker.flush()
}
/** The worker compares USDC with the chain. `floor`: what must stay hot. */
async function compare(floor: string): Promise<void> {
  await chains().follow('ethereum')
  const { context, ports } = house
  const { cold, deposits, ceilingCents, following } = house.chains
  const floors = { ...cold.floors, USDC: BigInt(floor) * 1_000_000n }
  const { confirmations } = following
  await watchCustody(context, 'ethereum', {
    nodeOf: ports.chainNode,
    rates: ports.rates,
    ceilingCents,
    floors,
    confirmations,
    proof: deposits.proof
  })
}
async function runSigner(): Promise<void> {
  await chains().follow('ethereum')
  const signing = await house.chains.signingOf?.('ethereum')
  if (signing) await moveToCold(house.context, house.chains.cold, signing)
  await chains().send('ethereum')
  await chains().mine('ethereum', 12)
}
async function mailTo(email: string, pattern: RegExp): Promise<string> {
  await house.worker.flush()
  const mails = ((await house.sandbox?.mails()) ?? []).filter(({ recipient }) => recipient === email)
  return mails.map(({ subject, text }) => pattern.exec(`${subject}\n${text}`)?.[1]).find(Boolean) ?? ''
}

test('a night on call: the signer is silent, a hot wallet is low, three persons refill it', { tag: '@desktop' }, async ({
  browser
}) => {
  test.setTimeout(180_000)
  const size = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' as const }
  const ids = randomUUID().slice(0, 6)
  const ada = await personAt(browser, inviteAdmin(`Ada ${ids}`), size)
  const bela = await personAt(browser, inviteAdmin(`Bela ${ids}`), size)
  const colleague = async (name: string) => {
    const email = await proposePerson(ada, name, ['finance'])
    await approveAt(bela, ada.url())
    return { email, page: await personAt(browser, `${deskUrl()}/join#${await mailTo(email, /\/join#([\w-]+)/)}`, size) }
  }
  const { page: finn, email: finnsMail } = await colleague(`Finn ${ids}`)
  const { page: fred } = await colleague(`Fred ${ids}`)
  const proposed = async (name: string, amount: string, currency: string) => {
    await finn.goto(`${deskUrl()}/withdrawals`)
    const token = finn.locator('#wallets details.halt', { hasText: currency }).filter({ hasText: 'Move or refill' })
    await token.locator('summary').click()
    if (amount !== '') await token.getByLabel(`Amount in ${currency}`).fill(amount)
    await token.getByLabel('Why').fill('The band')
    await token.getByRole('button', { name }).click()
    await finn.waitForURL('**/approvals/*')
    await approveAt(fred, finn.url())
  }

  // Finn is on call, with a phone.
  await finn.setViewportSize({ width: 390, height: 844 })
  await finn.goto(`${deskUrl()}/me`)
  await finn.getByRole('button', { name: 'Go on call' }).click()
  await expect(finn.getByText('You are on call')).toBeVisible()

  // The signer says nothing for ten minutes: a mail, and a red line on the overview.
  await beat(house.context, 'role:signer')
  await connection.db.execute(sql`update heartbeats set at = at - interval '10 minutes' where name = 'role:signer'`)
  await watch()
  expect(await mailTo(finnsMail, /(signer)/)).toBe('signer')
  await finn.goto(`${deskUrl()}/`)
  const alarm = finn.locator('[aria-labelledby=faults] tr', { hasText: 'signer' })
  await expect(alarm).toBeVisible()
  await picture(finn, 'oncall-silent')
  await alarm.getByRole('button', { name: 'Take' }).click()
  await expect(alarm.getByText(`Finn ${ids}`)).toBeVisible()
  // It is started again: the alarm ends by itself, and the mail says so.
  await beat(house.context, 'role:signer')
  await watch()
  await finn.goto(`${deskUrl()}/`)
  await expect(alarm).toHaveCount(0)
  expect(await mailTo(finnsMail, /(over)/i)).not.toBe('')
  await finn.setViewportSize(size.viewport)

  // Most coins lie in cold storage, with ether for the fee of a refill.
  await compare('10000')
  await proposed('Propose to move to cold', '1990000', 'USDC')
  await proposed('Propose to move to cold', '1', 'ETH')
  await runSigner()
  await runSigner()

  // The hot wallet is below what must stay hot: seen on the overview, and what is missing is proposed.
  await compare('50000')
  await watch()
  await finn.goto(`${deskUrl()}/`)
  await expect(finn.locator('[aria-labelledby=faults] tr', { hasText: 'USDC' })).toBeVisible()
  await finn.goto(`${deskUrl()}/withdrawals`)
  const usdc = finn.locator('#wallets tbody tr', { hasText: 'USDC' })
  await expect(usdc.getByText('Too low')).toBeVisible()
  await picture(finn, 'oncall-low')
  await proposed('Propose a refill', '', 'USDC')

  // The third person is an admin; then the worker writes the file.
  await ada.goto(`${deskUrl()}/withdrawals#wallets`)
  await ada.getByLabel('Why you agree, as the third person').fill('Called Finn')
  await ada.getByRole('button', { name: 'Agree', exact: true }).click()
  await expect(ada.getByText('For an admin')).toHaveCount(0)
  await house.worker.flush()
  await finn.goto(`${deskUrl()}/withdrawals`)
  await expect(finn.getByText('To be signed')).toBeVisible()
  await picture(finn, 'oncall-to-sign')
  const [download] = await Promise.all([
    finn.waitForEvent('download'),
    // The page loads itself again after a download: a file that is chosen before would be lost.
    finn.waitForEvent('load'),
    finn.getByRole('button', { name: 'Download the file' }).click()
  ])
  const signed = Buffer.from(signSandbox(readFileSync(await download.path())))
  const upload = finn.getByRole('button', { name: 'Upload it' })
  await finn
    .getByLabel('What the machine has signed')
    .setInputFiles({ name: 'signed.json', mimeType: 'application/json', buffer: signed })
  await upload.click()
  await expect(upload).toHaveCount(0)
  await house.worker.flush()
  await finn.goto(`${deskUrl()}/withdrawals`)
  await expect(finn.getByText('Broadcast', { exact: true })).toBeVisible()

  // Once the chain has it, the wallet is in its band and the alarm is over.
  await chains().mine('ethereum', 12)
  await compare('50000')
  await watch()
  await finn.goto(`${deskUrl()}/withdrawals`)
  await expect(usdc.getByText('In its band')).toBeVisible()
  await picture(finn, 'oncall-refilled')
  await finn.goto(`${deskUrl()}/`)
  await expect(finn.locator('[aria-labelledby=faults] tr', { hasText: 'USDC' })).toHaveCount(0)
  for (const page of [ada, bela, finn, fred]) await page.context().close()
})
