import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { camtBank, readCamt } from '#lib/server/payments/bank/camt.ts'
import { readConfig } from '#lib/server/platform/config.ts'
import { createLogs, describeError } from '#lib/server/platform/log.ts'
import { smtpMailer } from '#lib/server/platform/mail/smtp.ts'
import { type BankEntry, UnavailableError } from '#lib/server/platform/ports.ts'
import { marketRates, readEcbDaily } from '#lib/server/rates/market.ts'
import { startSmtp } from '#support/smtp.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const ECB = `<gesmes:Envelope><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0821'/><Cube currency='JPY' rate='160.5'/></Cube></Cube></gesmes:Envelope>`

const IBAN = 'DE89 3704 0044 0532 0130 00'
const camt = (entries: string, { id = 'S-1', iban = IBAN } = {}) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>${id}</Id><Acct><Id><IBAN>${iban.replaceAll(' ', '')}</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`
const credit = (inner: string) => `<Ntry><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${inner}</Ntry>`

const CAMT = camt(`
<Ntry><Amt Ccy="EUR">956.80</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B-1</AcctSvcrRef>
 <NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Ada Lovelace</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct></RltdPties>
 <RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">10.5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B-2</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><AcctSvcrRef>B-3</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">98</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>1</RvslInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B-5</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>B-4</AcctSvcrRef><NtryDtls>
 <TxDtls><Amt Ccy="EUR">10</Amt><RmtInf><Ustrd>Order one</Ustrd></RmtInf></TxDtls><TxDtls><Amt Ccy="EUR">20</Amt><RmtInf><Ustrd>Order</Ustrd><Ustrd>two</Ustrd></RmtInf></TxDtls>
</NtryDtls></Ntry>`)

async function serve(answer: (url: string) => { status?: number; text: string }): Promise<string> {
  const server = createServer((req, res) => {
    const { status = 200, text } = answer(req.url ?? '')
    res.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('SMTP', () => {
  it('sends through a real server', async () => {
    const { url, received, stop } = await startSmtp()
    cleanups.push(stop)
    const mailer = smtpMailer(url, 'Wallet <no-reply@wallet.example>')
    await mailer.send({
      to: 'ada@example.com',
      subject: '123456 is your sign-in code',
      text: 'Enter this code to sign in:\n\n123456',
      html: '<p>Enter this code to sign in:</p><b>123456</b>'
    })
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('To: ada@example.com')
    expect(received[0]).toContain('From: Wallet <no-reply@wallet.example>')
    expect(received[0]).toContain('Subject: 123456 is your sign-in code')
    expect(received[0]).toContain('Enter this code to sign in')
    expect(received[0]).toContain('<b>123456</b>')
  })

  it('fails where there is no server, so that the outbox tries again', async () => {
    await expect(
      smtpMailer('smtp://127.0.0.1:1', 'a@b.c').send({ to: 'a@b.c', subject: 's', text: 't', html: '<p>t' })
    ).rejects.toThrow()
  })
})

describe('the rates of the market', () => {
  it('turn the daily file of the European Central Bank into EUR per USD', () => {
    expect(readEcbDaily(ECB)).toEqual({
      value: '0.92412901',
      source: 'European Central Bank',
      at: new Date('2026-11-20T00:00:00Z')
    })
    expect(() => readEcbDaily('<html>maintenance</html>')).toThrow(/no USD rate/)
  })

  it('keep source and time, are asked once a minute, and outlive a failure for a quarter of an hour', async () => {
    let asked = 0
    let works = true
    const url = await serve((path) => {
      if (!works) return { status: 503, text: 'down' }
      asked += 1
      return { text: path === '/ecb' ? ECB : '{"CPC":"0.05","BTC":"97000"}' }
    })
    let now = Date.parse('2026-11-21T12:00:00Z')
    const rates = marketRates(`${url}/prices`, () => new Date(now), `${url}/ecb`)
    const [first, again] = await Promise.all([rates.current(), rates.current()])
    expect(first).toBe(again)
    expect(asked).toBe(2)
    expect(first.pricesUsd).toMatchObject({ values: { CPC: '0.05' }, at: new Date(now) })
    works = false
    now += 10 * 60_000
    expect(await rates.current()).toBe(first)
    now += 10 * 60_000
    await expect(rates.current()).rejects.toBeInstanceOf(UnavailableError)
  })

  it('bring nobody to wait for newer figures while the last are good enough', async () => {
    let answer = '0.05'
    const url = await serve((path) => ({ text: path === '/ecb' ? ECB : `{"CPC":"${answer}"}` }))
    let now = Date.parse('2026-11-21T12:00:00Z')
    const rates = marketRates(`${url}/prices`, () => new Date(now), `${url}/ecb`)
    await rates.current()
    answer = '0.06'
    now += 2 * 60_000
    expect((await rates.current()).pricesUsd.values.CPC).toBe('0.05')
    await vi.waitFor(async () => expect((await rates.current()).pricesUsd.values.CPC).toBe('0.06'))
  })

  it('refuse a daily file that is a week old', async () => {
    const url = await serve((path) => ({ text: path === '/ecb' ? ECB : '{"CPC":"0.05"}' }))
    await expect(marketRates(`${url}/prices`, () => new Date('2026-11-27T12:00:00Z'), `${url}/ecb`).current()).rejects.toThrow()
  })

  it.each(['cheap', '0', '-1'])('refuse a price of "%s"', async (price) => {
    const url = await serve((path) => ({ text: path === '/ecb' ? ECB : `{"CPC":"${price}"}` }))
    await expect(marketRates(`${url}/prices`, () => new Date('2026-11-21T12:00:00Z'), `${url}/ecb`).current()).rejects.toThrow()
  })
})

describe('the bank', () => {
  it('tells booked credits alone, each with its own reference', () => {
    expect(readCamt(CAMT, IBAN)).toEqual([
      {
        entryId: 'B-1',
        amountCents: 95_680n,
        currency: 'EUR',
        remittance: 'RF18539007547034',
        payerName: 'Ada Lovelace',
        payerIban: 'AT611904300234573201'
      },
      { entryId: 'B-4/0', amountCents: 1000n, currency: 'EUR', remittance: 'Order one', payerName: '', payerIban: '' },
      { entryId: 'B-4/1', amountCents: 2000n, currency: 'EUR', remittance: 'Order two', payerName: '', payerIban: '' }
    ])
  })

  it('tells the entries of two days apart where only the statement numbers them', () => {
    const entry = credit('<Amt Ccy="EUR">5</Amt><NtryRef>1</NtryRef>')
    const ids = ['S-1', 'S-2'].flatMap((id) => readCamt(camt(entry, { id }), IBAN)).map(({ entryId }) => entryId)
    expect(ids).toEqual(['S-1/1', 'S-2/1'])
  })

  it('takes no entry of another account', () => {
    expect(
      readCamt(camt(credit('<Amt Ccy="EUR">5</Amt><AcctSvcrRef>X</AcctSvcrRef>'), { iban: 'AT611904300234573201' }), IBAN)
    ).toEqual([])
  })

  it.each([
    ['has no reference', credit('<Amt Ccy="EUR">5</Amt>'), /no reference/],
    ['has no readable amount', credit('<Amt Ccy="EUR">.50</Amt><AcctSvcrRef>X</AcctSvcrRef>'), /no readable amount/],
    [
      'has several parts without their own amounts',
      credit('<Amt Ccy="EUR">30</Amt><AcctSvcrRef>X</AcctSvcrRef><NtryDtls><TxDtls></TxDtls><TxDtls></TxDtls></NtryDtls>'),
      /no readable amount/
    ]
  ])('loses nothing silently: an entry that %s is refused', (_, entry, message) => {
    expect(() => readCamt(camt(entry), IBAN)).toThrow(message)
  })

  it('refuses what is no camt.053', () => {
    expect(() => readCamt('<Document><BkToCstmrDbtCdtNtfctn/></Document>', IBAN)).toThrow(/no camt\.053/)
  })

  it('receives the others where one fails, and keeps the file for the next time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wallet-bank-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'a.xml'), CAMT)
    const received: string[] = []
    const bank = camtBank(readConfig({}).bank, folder, createLogs('silent').log)
    const listening = bank.listen(async ({ entryId }) => {
      if (entryId === 'B-1') throw new Error('the database is away')
      received.push(entryId)
    })
    await listening.stop()
    expect(received).toEqual(['B-4/0', 'B-4/1'])
    expect((await readdir(folder)).sort()).toEqual(['a.xml', 'processed'])
  })

  it('reads its folder, moves what was received, and leaves a file that failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wallet-bank-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'a.xml'), CAMT)
    await writeFile(join(folder, 'b.xml'), '<broken')
    const received: BankEntry[] = []
    const bank = camtBank(readConfig({}).bank, folder, createLogs('silent').log)
    const listening = bank.listen(async (entry) => received.push(entry))
    await listening.stop()
    expect(received).toHaveLength(3)
    expect((await readdir(folder)).sort()).toEqual(['b.xml', 'processed'])
    expect(await readdir(join(folder, 'processed'))).toEqual(['a.xml'])
  })
})

describe('the log', () => {
  it('holds no parameter of a failed statement', () => {
    const cause = Object.assign(new Error('relation "outbox" does not exist'), { code: '42P01' })
    const error = Object.assign(new Error('Failed query: insert … params: 366646 is your sign-in code', { cause }), {
      params: ['366646']
    })
    const said = JSON.stringify(describeError(error))
    expect(said).not.toContain('366646')
    expect(said).toContain('42P01')
  })
})
