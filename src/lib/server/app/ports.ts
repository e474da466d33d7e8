/** The outside world: real adapters in production, sandbox ones otherwise; the others are not even loaded. */

import type { IdentityProvider } from '../identity/index.ts'
import type { SandboxIdentity } from '../identity/sandbox.ts'
import type { Bank } from '../payments/index.ts'
import type { Config } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/db/client.ts'
import type { Mailer } from '../platform/mail/port.ts'
import type { RatesSource } from '../rates/index.ts'

export type Ports = { mailer: Mailer; rates: RatesSource; bank: Bank; identity: IdentityProvider }
type Made = { ports: Ports; outside: { identity: SandboxIdentity } | undefined }
type Parts = Pick<Context, 'clock' | 'keyFor' | 'log'>

export function createPorts(config: Config, db: Database, parts: Parts): Promise<Made> {
  return config.production ? realPorts(config, parts) : sandboxPorts(config, db, parts)
}

async function realPorts(config: Config, { clock, log }: Parts): Promise<Made> {
  const [{ smtpMailer }, { marketRates }, { folderBank }, { sumsubIdentity }] = await Promise.all([
    import('../platform/mail/smtp.ts'),
    import('../rates/market.ts'),
    import('../payments/bank/folder.ts'),
    import('../identity/sumsub.ts')
  ])
  const ports: Ports = {
    mailer: smtpMailer(config.smtpUrl ?? '', config.mailFrom),
    rates: marketRates(config.pricesUrl ?? '', clock),
    bank: folderBank(config.bank, config.bankStatementsDir ?? '', log),
    identity: sumsubIdentity(config.identity, clock)
  }
  return { ports, outside: undefined }
}

async function sandboxPorts(config: Config, db: Database, { clock, keyFor }: Parts): Promise<Made> {
  const [{ sandboxMailer }, { sandboxRates }, { sandboxBank }, { sandboxIdentity }] = await Promise.all([
    import('../platform/mail/sandbox.ts'),
    import('../rates/sandbox.ts'),
    import('../payments/bank/sandbox.ts'),
    import('../identity/sandbox.ts')
  ])
  const identity = sandboxIdentity(keyFor('sandbox-identity'), clock)
  const ports: Ports = { mailer: sandboxMailer(db, clock), rates: sandboxRates(clock), bank: sandboxBank(config.bank), identity }
  return { ports, outside: { identity } }
}
