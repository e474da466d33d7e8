/** A day of finance: a statement is uploaded, a wrong reference assigned, a second payment sent back by file, the next statement confirms it. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { camt, ntry } from '#support/camt.ts'
import { approveAt, colleagueAt, deskUrl, inviteAdmin, personAt, picture } from '#support/deskTabs.ts'
import { expect, test } from '#support/journey.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

const PAYER =
  '<RltdPties><Dbtr><Pty><Nm>Lovelace Ada</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct></RltdPties>'
const transaction = (text: string, rest = '') =>
  `<NtryDtls><TxDtls>${rest}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`

test('a day of finance', { tag: '@desktop' }, async ({ journey, browser }) => {
  test.setTimeout(180_000)
  const size = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' as const, acceptDownloads: true }
  const ids = randomUUID().slice(0, 6)
  const admins: [Page, Page] = [
    await personAt(browser, inviteAdmin(`Ada ${ids}`), size),
    await personAt(browser, inviteAdmin(`Bela ${ids}`), size)
  ]
  const finn = await colleagueAt({ journey, browser, admins, size }, `Finn ${ids}`, ['finance'])
  const fay = await colleagueAt({ journey, browser, admins, size }, `Fay ${ids}`, ['finance'])

  // A customer pays with a wrong digit, and pays once more.
  const { baseUrl } = journey
  const { token } = await signUpAt(baseUrl)
  const ordered = await postJson(baseUrl, '/orders/combo', { comboConfigId: 19, bankAccountId: 1 }, token)
  const { id, euroToPay } = (await ordered.json()).data
  const wrong = `${id.slice(0, -1)}${(Number(id.at(-1)) + 1) % 10}`
  const bookedOn = new Date().toISOString().slice(0, 10)
  const statement = camt(
    [
      ntry({ ref: `F-${ids}-1`, amount: euroToPay, bookedOn, inner: transaction(`Tokens ${wrong}`, PAYER) }),
      ntry({ ref: `F-${ids}-2`, amount: '77.70', bookedOn, inner: transaction('<![CDATA[<script>alert("x")</script>]]>', PAYER) })
    ],
    { id: `S-${ids}` }
  )
  const upload = async (name: string, xml: string) => {
    await finn.goto(`${deskUrl()}/payments/files`)
    await finn.setInputFiles('input[type=file]', { name, mimeType: 'application/xml', buffer: Buffer.from(xml) })
    await finn.getByRole('button', { name: 'Upload' }).click()
  }
  /** Another person compares the newest upload with the bank. */
  const accept = async () => {
    await fay.goto(`${deskUrl()}/payments/files`)
    await picture(fay, 'file-to-accept')
    await fay.getByLabel('What you compared it with').fill('The bank’s own pages')
    await fay.getByRole('button', { name: 'Accept, and read it' }).click()
    await expect(fay.getByText('Accepted. It is read within a minute.')).toBeVisible()
  }
  await upload('no.xml', '<html/>')
  await expect(finn.getByText('This is no camt.053 file')).toBeVisible()
  await upload(`day-${ids}.xml`, statement)
  await expect(finn.getByText('Taken: 1 statements with 2 entries.')).toBeVisible()
  await expect(finn.getByText('another person accepts it')).toBeVisible()
  await accept()
  await expect(async () => {
    await finn.reload()
    await expect(finn.getByText('No order has its reference').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await picture(finn, 'files')
  await upload('again.xml', statement)
  await expect(finn.getByText('This file was uploaded before.')).toBeVisible()

  // Assigned alone: reference with a slip, amount and name agree.
  await finn.goto(`${deskUrl()}/payments/files`)
  await finn
    .getByRole('row', { name: new RegExp(euroToPay) })
    .getByRole('link')
    .click()
  await expect(finn.locator('.cand').first()).toContainText('85')
  await picture(finn, 'payment')
  await finn.getByLabel('Reason, kept for good').fill('One wrong digit; amount and name agree')
  await finn.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(finn.getByText('Assigned. The order is completed within a minute')).toBeVisible()
  await expect(async () => {
    const order = await fetch(`${baseUrl}/v1/orders/combo/${id}`, { headers: { authorization: `Bearer ${token}` } })
    expect((await order.json()).data.status).toBe(2)
  }).toPass({ timeout: 20_000 })

  // The other one goes back: proposed by one, approved by another.
  await finn.goto(`${deskUrl()}/payments/files`)
  await finn
    .getByRole('row', { name: /77\.70/ })
    .getByRole('link')
    .click()
  await finn.getByText('Show name, account and text…').click()
  await finn.getByLabel('Why you need them').fill('To compare the payer')
  await finn.getByRole('button', { name: 'Show for 15 minutes' }).click()
  await expect(finn.getByText('Lovelace Ada, AT611904300234573201, <script>alert("x")</script>')).toBeVisible()
  await finn.getByText('Refund…', { exact: true }).click()
  const refund = finn.locator('form[data-call=proposeRefund]')
  await refund.getByLabel('Why; the customer reads it').fill('You paid twice')
  await refund.getByRole('button', { name: 'Propose to refund' }).click()
  await finn.waitForURL('**/approvals/*')
  await picture(finn, 'proposal-refund')
  await approveAt(fay, finn.url())
  await expect(async () => {
    await finn.goto(`${deskUrl()}/payments`)
    await expect(finn.getByRole('button', { name: /^Make a file of/ })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await finn.getByRole('button', { name: /^Make a file of/ }).click()
  await expect(finn.getByText('Download it once.')).toBeVisible()
  const [download] = await Promise.all([
    finn.waitForEvent('download'),
    finn.getByRole('button', { name: 'Download' }).first().click()
  ])
  const xml = readFileSync(await download.path(), 'utf8')
  await expect(finn.getByText('is in your downloads')).toBeVisible()
  expect(xml).toContain('<InstdAmt Ccy="EUR">77.70</InstdAmt>')
  const endToEndId = /<EndToEndId>(\w+)<\/EndToEndId>\s*<\/PmtId>\s*<Amt>\s*<InstdAmt Ccy="EUR">77\.70/.exec(xml)?.[1]
  await fay.goto(`${deskUrl()}/payments`)
  await picture(fay, 'payments')
  await fay.getByRole('button', { name: 'Mark as sent' }).first().click()
  await expect(fay.getByText('Marked as sent.')).toBeVisible()

  // The next statement shows it.
  const next = ntry({
    ref: `F-${ids}-3`,
    amount: '77.70',
    direction: 'DBIT',
    bookedOn,
    inner: transaction('refund', `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>`)
  })
  await upload(`next-${ids}.xml`, camt([next], { id: `T-${ids}` }))
  await expect(finn.getByText('Taken: 1 statements with 1 entries.')).toBeVisible()
  await accept()
  await expect(async () => {
    await finn.reload()
    await expect(finn.getByText('Our refund').first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await finn.goto(`${deskUrl()}/payments?filter=all`)
  await picture(finn, 'payments-all')

  for (const path of ['/payments', '/payments?filter=all', '/payments/files', '/reports', '/rules', '/'])
    for (const width of [390, 1024, 1440]) {
      await finn.setViewportSize({ width, height: 844 })
      await finn.goto(`${deskUrl()}${path}`)
      const wide = await finn.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(wide, `${path} at ${width}`).toBe(0)
      if (width === 1440) await picture(finn, `finance${path.replaceAll(/\W/g, '_')}`)
    }
  for (const page of [...admins, finn, fay]) await page.context().close()
})
