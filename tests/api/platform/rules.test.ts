/** The rules of the monitor: each is planted and seen red, one that fails is unknown, and alarms are mailed once. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRaised, isWorkingTime, limitAt, RULE_NAMES, type RuleName } from '#lib/domain/staff/rules.ts'
import { isSettingRight, SETTING_NAMES } from '#lib/domain/staff/settings.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { knownRules, watchHealth } from '#lib/server/app/health.ts'
import { runRules } from '#lib/server/app/rules.ts'
import { stopChain } from '#lib/server/chains/index.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { beat } from '#lib/server/platform/heartbeat.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { chainsOf } from '#support/chains.ts'
import { deskOf } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})
afterEach(() => test.close())

const { owedMost } = readConfig({}).withdrawals
const DAY = 86_400
const execute = (text: string) => test.app.context.db.execute(sql.raw(text))
const iso = (secondsAgo = 0) => new Date(test.app.context.clock().getTime() - secondsAgo * 1000).toISOString()
const stateOf = async (rule: RuleName) => {
  const ran = (await runRules(test.app.context, owedMost)).filter((one) => one.rule === rule)
  return ran.some(({ state }) => state === 'raised') ? 'raised' : (ran[0]?.state ?? 'nothing')
}
const payment = (amountCents = 100n) =>
  test.arrive({ amountCents, remittance: 'rent', payerName: 'A B', payerIban: 'AT611904300234573201' })
const beatRole = async (role: string) => beat(test.app.context, `role:${role}`)
async function refund(): Promise<bigint> {
  const { id } = await payment()
  await execute(`insert into payment_decisions values (${id}, 'refunded', null, 'staff:x', 'x', '${iso()}')`)
  await execute(
    `insert into refunds (payment_id, amount_cents, creditor_name, creditor_iban, end_to_end_id, created_at) values (${id}, 100, 'A', 'AT611904300234573201', 'E${id}', '${iso()}')`
  )
  return id
}
/** A withdrawal that waits for a person, made by a customer. */
async function withdrawal(): Promise<string> {
  const w = withdrawalsOf(test)
  await w.stock()
  const customer = await test.customer()
  await w.fund(customer, 'USDC', units('USDC', 20_000))
  return w.confirmed(customer, 'USDC', units('USDC', 6_000), { details: { party: 'self', holder: 'own' } })
}
const changed = (id: string, set: string) =>
  behindTheBack(test.app.context.db, sql.raw(`update withdrawals set ${set} where id = '${id}'`))

/** What makes each rule red. */
const PLANTED: Record<RuleName, () => Promise<unknown>> = {
  role: async () => {
    await beatRole('worker')
    test.pass(301)
  },
  blocks: async () => {
    await chainsOf(test).follow('cpc')
    test.pass(361)
  },
  custody: async () => {
    await beat(test.app.context, 'custody:cpc')
    test.pass(3 * 3600 + 1)
  },
  halted: () =>
    stopChain(test.app.context, 'cpc', { actor: { kind: 'system', id: 'custody' }, why: 'coins are missing' }, 'sending'),
  ledger: () =>
    execute(`insert into rule_runs values ('ledger', 'ledger', '${iso()}', 'raised', 'the ledger is WRONG: x', '1', '0')`),
  audit: () => execute(`insert into rule_runs values ('audit', 'audit', '${iso()}', 'raised', 'BROKEN', '1', '0')`),
  cover: async () => {
    const { userId } = await test.customer()
    await test.adjust([
      { source: house('losses'), destination: customerAccount(userId, 'spot'), currency: 'BTC', amount: 10n ** 18n }
    ])
  },
  fees: async () => {
    const { userId } = await test.customer()
    await test.adjust([{ source: house('fees'), destination: customerAccount(userId, 'spot'), currency: 'ETH', amount: 1n }])
  },
  price: () =>
    execute(
      `insert into price_doubts (currency, reason, price_usd, used_usd, found_at) values ('BTC', 'jump', '1', '2', '${iso()}')`
    ),
  prices_old: () => execute(`insert into accepted_prices values ('BTC', '1', 'x', '${iso(3601)}')`),
  job: () =>
    execute(
      `insert into jobs (kind, key, payload, run_at, tries, created_at, last_error) values ('bank', 'bank', '{}', now(), 5, now(), 'x') on conflict (key) do update set tries = 5, last_error = 'x'`
    ),
  jobs_failed: () =>
    execute(
      `insert into jobs (kind, payload, run_at, tries, created_at, failed_at) values ('mail', '{}', now(), 12, now(), now())`
    ),
  mails_waiting: () =>
    execute(
      `insert into jobs (kind, payload, run_at, tries, created_at) values ('mail', '{"to":null}', '${iso(1801)}', 0, now())`
    ),
  audit_head: async () => {
    await execute(`select staff_audit_append('${iso()}', 'system:test', 'test', 'x', 'x', '{}')`)
    test.pass(20 * 60 + 1)
  },
  suspense_overdue: async () => {
    await payment()
    test.pass(2 * DAY + 1)
  },
  suspense_sum: () => payment(5_000_001n),
  refunds_unfiled: async () => {
    await refund()
    test.pass(DAY + 1)
  },
  refunds_unconfirmed: async () => {
    await refund()
    await execute(
      `insert into refund_files (message_id, xml, digest, transfers, sum_cents, made_by, made_at, downloaded_at, sent_by, sent_at) values ('M', '', '', 1, 100, 'a', '${iso()}', '${iso()}', 'b', '${iso()}')`
    )
    await execute(`update refunds set file_id = (select max(id) from refund_files)`)
    test.pass(7 * DAY)
  },
  bank_day: () =>
    execute(
      `insert into bank_statements (cursor, iban, statement_id, opening_cents, closing_cents, closed_on, received_at) values ('c', 'i', 's', 0, 5, '2026-11-20', now())`
    ),
  bank_late: async () => {
    await execute(
      `insert into bank_statements (cursor, iban, statement_id, opening_cents, closing_cents, closed_on, received_at) values ('c', 'i', 's', 0, 0, '2026-11-20', now())`
    )
    test.pass(6 * DAY)
  },
  bank_file: () =>
    execute(`insert into bank_files (name, source, added_at, problems) values ('x', 'folder', '${iso(3601)}', '["y"]')`),
  instructions: () =>
    execute(
      `insert into payment_instructions (kind, payment_ids, decided_by, why, decided_at, state) values ('assign', '{1}', 'a', 'b', '${iso(601)}', 'waiting')`
    ),
  fund: async () => {
    const { token } = await test.customer()
    const { data } = (await test.send('POST', '/orders/combo', { token, body: { comboConfigId: 84, bankAccountId: 1 } })).body
    await test.arrive({ amountCents: BigInt(data.euroToPay.replace('.', '')), remittance: data.id })
  },
  withdrawals_overdue: async () => {
    await withdrawal()
    test.pass(DAY + 1)
  },
  withdrawals_due: async () => {
    await withdrawal()
    test.pass(16 * 3600 + 1)
  },
  withdrawals_stuck: async () => {
    await changed(await withdrawal(), `state = 'signed', signed_at = '${iso()}'`)
    test.pass(3601)
  },
  hot_wallet: async () => changed(await withdrawal(), `state = 'approved', waits = 'hot_wallet'`),
  hot_band: () =>
    execute(
      `insert into custody_lines (currency, height, on_chain, expected, hot, cold, claims, owed, floor, ceiling_cents, compared_at)
        values ('BTC', 1, 5, 5, 5, 0, 0, 0, 6, 100, '${iso()}')`
    ),
  screening_open: async () => {
    const { userId } = await test.customer()
    await execute(
      `insert into screening_hits (user_id, of, name, who, source, entry_id, listed, about, births, score, birth, found_at, state)
        values ('${userId}', 'customer', 'A', 'a', 'eu', '1', 'A', '', '[]', 1, 'same', '${iso(86_401)}', 'open')`
    )
  },
  screening_old: () => execute(`insert into screening_lists (source, entries, read_at) values ('eu', 1, '${iso(2 * DAY + 1)}')`),
  cases_overdue: () =>
    execute(
      `insert into support_cases (number, email, context, state, opened_at, waits_since)
        values ('ABCD0001', 'a@example.com', '[]', 'open', '${iso(2 * DAY + 1)}', '${iso(2 * DAY + 1)}')`
    ),
  limits_overdue: async () => {
    const { userId } = await test.customer()
    await execute(
      `insert into limit_requests (user_id, asked_cents, why, asked_at, due_at, state) values ('${userId}', 1, 'x', '${iso(2)}', '${iso(1)}', 'open')`
    )
  },
  signer_limit: async () => changed(await withdrawal(), `state = 'approved', waits = 'signer_limit'`),
  proposals: async () => {
    const desk = deskOf(test)
    const [ada] = await desk.admins()
    await ada.call('proposeSetting', { params: { name: 'payment_two_above' }, body: { value: '1', why: 'A look' } })
    test.pass(20 * 3600 + 1)
  }
}

describe('each rule', () => {
  it.each(Object.keys(PLANTED) as RuleName[])('%s is seen red when it is planted', async (rule) => {
    expect(await stateOf(rule)).not.toBe('raised')
    await PLANTED[rule]()
    expect(await stateOf(rule)).toBe('raised')
  })

  it('is planted here', () => {
    expect(RULE_NAMES.filter((name) => !PLANTED[name])).toEqual([])
  })

  it('that fails is unknown, says why, and holds up no other; its alarm stays', async () => {
    await payment()
    test.pass(2 * DAY + 1)
    await watchHealth(test.app.context, owedMost)
    await execute('alter table bank_files rename to bank_files_gone')
    try {
      expect(await stateOf('bank_file')).toBe('unknown')
      expect(await stateOf('suspense_overdue')).toBe('raised')
    } finally {
      await execute('alter table bank_files_gone rename to bank_files')
    }
  })

  it('with labels that fails keeps its alarms, too, and none is mailed twice', async () => {
    await execute(
      `insert into price_doubts (currency, reason, price_usd, used_usd, found_at) values ('BTC', 'jump', '1', '2', '${iso()}')`
    )
    const alarm = async () =>
      ((await execute(`select name from alarms where name = 'price:BTC'`)) as unknown as { rows: object[] }).rows.length
    await watchHealth(test.app.context, owedMost)
    await execute('alter table price_doubts rename to price_doubts_gone')
    await watchHealth(test.app.context, owedMost)
    expect([await alarm(), await stateOf('price')]).toEqual([1, 'unknown'])
    await execute('alter table price_doubts_gone rename to price_doubts')
    await watchHealth(test.app.context, owedMost)
    expect([await alarm(), await stateOf('price')]).toEqual([1, 'raised'])
  })

  it('that has not run for five minutes is unknown, never all clear', async () => {
    const states = async () => new Set((await knownRules(test.app.context)).map(({ state }) => state))
    expect(await states()).toEqual(new Set(['unknown']))
    await watchHealth(test.app.context, owedMost)
    expect(await states()).toContain('quiet')
    test.pass(301)
    expect(await states()).toEqual(new Set(['unknown']))
  })
})

describe('the limits of rules', () => {
  it('are wider outside of working hours where that is enough', () => {
    const [monday, saturday, night] = ['2026-11-23T12:00:00Z', '2026-11-21T12:00:00Z', '2026-11-23T19:00:00Z'].map(
      (at) => new Date(at)
    ) as [Date, Date, Date]
    expect([monday, saturday, night].map(isWorkingTime)).toEqual([true, false, false])
    expect(limitAt('withdrawals_due', monday)).toBe(4n * 3600n)
    expect(limitAt('withdrawals_due', saturday)).toBe(16n * 3600n)
    expect(limitAt('withdrawals_due', saturday, 20n * 3600n)).toBe(20n * 3600n)
    expect(limitAt('blocks', saturday)).toBe(3600n)
    expect([isRaised('fund', 99n, 100n), isRaised('fund', 100n, 100n), isRaised('job', 5n, 4n)]).toEqual([true, false, true])
  })

  it('of what has two values, or a limit for each thing, are nobody’s to change; no other can be switched off', () => {
    for (const name of ['ledger', 'audit', 'fees', 'price', 'cover', 'halted', 'blocks'])
      expect(SETTING_NAMES).not.toContain(`rule_${name}`)
    expect([isSettingRight('rule_fund', 9n), isSettingRight('rule_fund', 10n), isSettingRight('rule_fund', 101n)]).toEqual([
      false,
      true,
      false
    ])
    expect([isSettingRight('rule_job', 40n), isSettingRight('rule_job', 41n), isSettingRight('rule_bank_day', 11n)]).toEqual([
      true,
      false,
      false
    ])
  })

  it('are changed by two admins, within bounds', async () => {
    const desk = deskOf(test)
    const [ada, bela] = await desk.admins()
    await payment(100n)
    const set = (value: string) =>
      ada.call('proposeSetting', { params: { name: 'rule_suspense_sum' }, body: { value, why: 'Fewer' } })
    expect((await set('50000001')).body.code).toBe('invalid_fields')
    const { proposalId } = (await set('99')).body.data
    expect(await stateOf('suspense_sum')).toBe('quiet')
    await bela.call('approveProposal', { params: { id: proposalId }, body: { why: 'Yes' } })
    expect(await stateOf('suspense_sum')).toBe('raised')
    const rules = (await ada.call('listRules')).body.data
    expect(rules.find(({ rule }: { rule: string }) => rule === 'suspense_sum')).toMatchObject({ limit: '99', unit: 'EUR' })
  })
})

describe('an alarm', () => {
  it('is mailed once to whoever is on call, is taken by a person, and is mailed again when it is over', async () => {
    const desk = deskOf(test)
    const [ada, bela] = await desk.admins()
    const finn = await desk.member([ada, bela], 'Finn', ['finance'])
    const sue = await desk.member([ada, bela], 'Sue', ['support'])
    const alarmsTo = async (email: string) =>
      (await test.mailsTo(email)).map(({ subject }) => subject).filter((subject) => /Alarm|Over/.test(subject))
    // Nobody is on call: all admins get it.
    await beatRole('worker')
    const { id } = await payment()
    test.pass(2 * DAY + 1)
    await watchHealth(test.app.context, owedMost, 'http://desk.localhost')
    expect((await alarmsTo(ada.email))[0]).toMatch(/^Alarm: /)
    expect(await alarmsTo(finn.email)).toEqual([])
    for (const one of [ada, bela, finn, sue]) await desk.signIn(one)
    expect((await finn.call('setOnCall', { body: { isOnCall: 'yes' } })).status).toBe(200)
    expect((await finn.call('getMe')).body.data.onCallSince).not.toBeNull()
    await beatRole('worker')
    await watchHealth(test.app.context, owedMost)
    await watchHealth(test.app.context, owedMost)
    const overview = async () => (await finn.call('getOverview')).body.data
    const alarm = async () => (await overview()).faults.find(({ name }: { name: string }) => name === 'suspense_overdue')
    expect(await alarm()).toMatchObject({ shown: '1', shownLimit: '0', takenBy: null, isBad: true })
    const take = (by: typeof finn) => by.call('takeAlarm', { params: { name: 'suspense_overdue' } })
    expect((await take(sue)).body.code).toBe('right_missing')
    expect((await take(finn)).status).toBe(200)
    expect(await alarm()).toMatchObject({ takenBy: 'Finn' })
    expect((await overview()).onCall).toEqual(['Finn'])
    // Sent back by the bank: nothing is overdue any more.
    await test.arrive({ direction: 'debit', amountCents: 100n, payerIban: 'AT611904300234573201', remittance: String(id) })
    await watchHealth(test.app.context, owedMost)
    expect((await alarmsTo(finn.email))[0]).toContain('a payment is undecided')
    expect((await take(finn)).body.code).toBe('alarm_over')
  })
})
