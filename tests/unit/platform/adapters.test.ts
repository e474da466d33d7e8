import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UnavailableError } from '#lib/server/platform/errors.ts'
import { describeError } from '#lib/server/platform/log.ts'
import { smtpMailer } from '#lib/server/platform/mail/smtp.ts'
import { marketRates, readEcbDaily } from '#lib/server/rates/adapters/market.ts'
import { startSmtp } from '#support/smtp.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const ECB = `<gesmes:Envelope><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0821'/><Cube currency='JPY' rate='160.5'/></Cube></Cube></gesmes:Envelope>`

async function serve(answer: (url: string) => { status?: number; text: string }): Promise<string> {
  const server = createServer((req, res) => {
    const { status = 200, text } = answer(req.url ?? '')
    res.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const SENDER = { from: 'Wallet <no-reply@wallet.example>', support: 'support@wallet.example' }

describe('SMTP', () => {
  it('sends through a real server', async () => {
    const { url, received, stop } = await startSmtp()
    cleanups.push(stop)
    const mailer = smtpMailer(url, SENDER)
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
    // Some mails ask for a reply, and nobody reads the sender's address. No machine answers a mail by itself.
    expect(received[0]).toContain('Reply-To: support@wallet.example')
    expect(received[0]).toContain('Auto-Submitted: auto-generated')
  })

  it('lets the answer go to somebody else where a mail says so, as one address', async () => {
    const { url, received, stop } = await startSmtp()
    cleanups.push(stop)
    const mail = { to: 'support@wallet.example', subject: 's', text: 't', html: '<p>t' }
    await smtpMailer(url, SENDER).send({ ...mail, replyTo: 'ada@example.com\r\nBcc: b@example.com' })
    expect(received[0]).toMatch(/^Reply-To: .*ada@example\.com/m)
    expect(received[0]).not.toMatch(/^Bcc/m)
  })

  it('fails where there is no server, so that the outbox tries again', async () => {
    await expect(
      smtpMailer('smtp://127.0.0.1:1', SENDER).send({ to: 'a@b.c', subject: 's', text: 't', html: '<p>t' })
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

  it('are asked for before figures are used that nobody has renewed for minutes, once for all who wait, and seldom while the source fails', async () => {
    let asked = 0
    let [answer, works] = ['0.05', true]
    const url = await serve((path) => {
      asked += 1
      return works ? { text: path === '/ecb' ? ECB : `{"CPC":"${answer}"}` } : { status: 503, text: '' }
    })
    let now = Date.parse('2026-11-21T12:00:00Z')
    const rates = marketRates(`${url}/prices`, () => new Date(now), `${url}/ecb`)
    const price = async () => (await rates.current()).pricesUsd.values.CPC
    await price()
    answer = '0.06'
    now += 6 * 60_000
    asked = 0
    expect(await Promise.all([price(), price()])).toEqual(['0.06', '0.06'])
    expect(asked).toBe(2)
    works = false
    now += 6 * 60_000
    expect(await price()).toBe('0.06')
    works = true
    answer = '0.07'
    // The next one does not wait for a source that has just failed.
    expect(await price()).toBe('0.06')
    await vi.waitFor(async () => expect(await price()).toBe('0.07'))
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
