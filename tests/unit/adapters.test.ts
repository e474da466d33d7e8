import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { camtBank, readCamt } from '#lib/server/adapters/bank/camt.ts'
import { smtpMailer } from '#lib/server/adapters/mail/smtp.ts'
import { marketRates, readEcbDaily } from '#lib/server/adapters/rates/market.ts'
import { readConfig } from '#lib/server/config.ts'
import { createLog } from '#lib/server/log.ts'
import type { BankEntry } from '#lib/server/ports.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const ECB = `<gesmes:Envelope><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0821'/><Cube currency='JPY' rate='160.5'/></Cube></Cube></gesmes:Envelope>`

const CAMT = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Ntry><Amt Ccy="EUR">956.80</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B-1</AcctSvcrRef>
 <NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Ada Lovelace</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct></RltdPties>
 <RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">10.5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B-2</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><AcctSvcrRef>B-3</AcctSvcrRef></Ntry>
<Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>B-4</AcctSvcrRef><NtryDtls>
 <TxDtls><Amt Ccy="EUR">10</Amt><RmtInf><Ustrd>Order one</Ustrd></RmtInf></TxDtls><TxDtls><Amt Ccy="EUR">20</Amt><RmtInf><Ustrd>Order</Ustrd><Ustrd>two</Ustrd></RmtInf></TxDtls>
</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`

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
    const received: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        let text = ''
        stream.on('data', (chunk) => {
          text += chunk
        })
        stream.on('end', () => {
          received.push(text)
          done()
        })
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.server.address() as AddressInfo
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, 'Wallet <no-reply@wallet.example>')
    await mailer.send({
      to: 'ada@example.com',
      subject: '123456 is your sign-in code',
      text: 'Enter this code to sign in:\n\n123456'
    })
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('To: ada@example.com')
    expect(received[0]).toContain('From: Wallet <no-reply@wallet.example>')
    expect(received[0]).toContain('Subject: 123456 is your sign-in code')
    expect(received[0]).toContain('Enter this code to sign in')
  })

  it('fails where there is no server, so that the outbox tries again', async () => {
    await expect(smtpMailer('smtp://127.0.0.1:1', 'a@b.c').send({ to: 'a@b.c', subject: 's', text: 't' })).rejects.toThrow()
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
    await expect(rates.current()).rejects.toThrow(/503/)
  })

  it('refuse a price that is no decimal', async () => {
    const url = await serve((path) => ({ text: path === '/ecb' ? ECB : '{"CPC":"cheap"}' }))
    await expect(marketRates(`${url}/prices`, () => new Date(), `${url}/ecb`).current()).rejects.toThrow()
  })
})

describe('the bank', () => {
  it('tells booked credits alone, each with its own reference', () => {
    expect(readCamt(CAMT)).toEqual([
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
    expect(() => readCamt('<Document/>')).toThrow(/neither a camt/)
  })

  it('reads its folder, moves what was received, and leaves a file that failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wallet-bank-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'a.xml'), CAMT)
    await writeFile(join(folder, 'b.xml'), '<broken')
    const received: BankEntry[] = []
    const bank = camtBank(readConfig({}).bank, folder, createLog('silent'))
    const listening = bank.listen(async (entry) => received.push(entry))
    await listening.stop()
    expect(received).toHaveLength(3)
    expect((await readdir(folder)).sort()).toEqual(['b.xml', 'processed'])
    expect(await readdir(join(folder, 'processed'))).toEqual(['a.xml'])
  })
})
