/** The page House: failed jobs, prices in doubt, the staking fund, unassigned coins, our own balances, missing documents, terms, promo codes. */
import type { DeskAnswer, DeskInput } from '#lib/contract/desk/shapes.ts'
import { CHAINS, isChainToken } from '#lib/domain/chains/chains.ts'
import type { HouseKind } from '#lib/domain/ledger/holdings.ts'
import { ACCOUNT_TERMS, ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { acceptedAccountTerms, countCustomers } from '../access/index.ts'
import { allLost, newestHeights, openStops } from '../chains/index.ts'
import { suspendedCoins } from '../deposits/index.ts'
import { DOCUMENT_JOBS, missingDocuments } from '../documents/index.ts'
import { bookedUnder, houseBalance, houseBalances, houseLines } from '../ledger/index.ts'
import { legalText } from '../legal/index.ts'
import { acceptedOrderTerms, promoEntries } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/db/client.ts'
import { BULK_MAIL, MAIL } from '../platform/jobs/kinds.ts'
import { givenUpJobs, lastErrorOf } from '../platform/jobs/read.ts'
import { openDoubts } from '../rates/index.ts'
import { rewardsDueBy } from '../staking/index.ts'
import { chargedReference } from '../withdrawals/index.ts'
import { shownStop } from './present.ts'

const DAY_MS = 86_400_000
type Lines = DeskInput<'listLines'>['query']
/** Not the coins and the money themselves, which the overview compares, nor the fund, which has a table of its own. */
const OWN: HouseKind[] = ['fees', 'treasury', 'owed', 'rewards', 'losses', 'suspense', 'refunds']

export async function houseOf(context: Context): Promise<DeskAnswer<'getHouse'>> {
  const { db } = context
  const [jobs, doubts, coins, fund, missing, error, terms, promo, books, lost, reading] = await Promise.all([
    givenUpJobs(db),
    openDoubts(db),
    suspendedCoins(db),
    fundOf(context),
    missingDocuments(context),
    lastErrorOf(db, DOCUMENT_JOBS),
    termsOf(db),
    promoEntries(db),
    houseBalances(db),
    lostOf(db),
    readingOf(db)
  ])
  return {
    books: books
      .filter(({ kind }) => OWN.includes(kind))
      .map(({ currency, kind, balance }) => ({ currency, kind, amount: balance.toString() })),
    documents: {
      error,
      quarters: missing.quarters.map((quarter) => ({ ...quarter, closedAt: quarter.closedAt.toISOString() })),
      withoutReceipt: missing.withoutReceipt.map(({ orderId, userId, completedAt }) => ({
        orderId,
        customerId: userId,
        completedAt: (completedAt ?? new Date(0)).toISOString()
      }))
    },
    terms,
    promo: promo.map(({ customers, first, last }) => ({ customers, first: first.toISOString(), last: last.toISOString() })),
    jobs: jobs.map(({ id, kind, tries, failedAt, lastError }) => ({
      id: String(id),
      kind,
      tries,
      failedAt: (failedAt ?? new Date(0)).toISOString(),
      error: lastError ?? '',
      mayRetry: ![MAIL, BULK_MAIL].includes(kind)
    })),
    doubts: doubts.map(({ currency, priceUsd, usedUsd, reason, foundAt }) => ({
      currency,
      priceUsd,
      usedUsd,
      reason,
      foundAt: foundAt.toISOString()
    })),
    fund,
    lost,
    reading,
    coins: coins.map(({ kind, id, currency, amount, about, at }) => ({
      id: `${kind}:${id}`,
      isKnown: isChainToken(currency),
      currency,
      amount: amount.toString(),
      about,
      at: at.toISOString()
    }))
  }
}

async function fundOf(context: Context): Promise<DeskAnswer<'getHouse'>['fund']> {
  const now = context.clock().getTime()
  const [soon, later] = await Promise.all([30, 100].map((days) => rewardsDueBy(context, new Date(now + days * DAY_MS))))
  return Promise.all(
    (later ?? []).map(async ({ currency, units }) => ({
      currency,
      has: (await houseBalance(context.db, 'staking_rewards', currency)).toString(),
      dueIn30Days: (soon?.find((one) => one.currency === currency)?.units ?? 0n).toString(),
      dueIn100Days: units.toString()
    }))
  )
}

/** Lost payments that something is still to be decided about. */
async function lostOf(db: Database): Promise<DeskAnswer<'getHouse'>['lost']> {
  const sends = await allLost(db)
  const states = await Promise.all(
    sends.map(async ({ id, state, releasedAt }) => {
      if (!releasedAt && state === 'signed') return 'to_broadcast' as const
      if (state === 'signed') return 'under_way' as const
      if (state !== 'confirmed' || (await bookedUnder(db, chargedReference(id))).length > 0) return undefined
      return 'paid' as const
    })
  )
  return sends.flatMap(({ id, currency, amount, receiver, signedAt }, index) => {
    const state = states[index]
    if (!state) return []
    return [{ id, currency, amount: amount.toString(), receiver, signedAt: signedAt.toISOString(), state }]
  })
}

async function readingOf(db: Database): Promise<DeskAnswer<'getHouse'>['reading']> {
  const heights = await newestHeights(db)
  return Promise.all(
    CHAINS.map(async (chain) => ({
      chain,
      height: heights[chain] ?? null,
      stops: (await openStops(db, chain, 'reading')).map(shownStop)
    }))
  )
}

const LISTED = 50

/** The newest lines of one of our accounts. */
export async function linesOf({ db }: Context, { kind, currency, day, before }: Lines): Promise<DeskAnswer<'listLines'>> {
  const asked = { kind, currency, day, before: before === undefined ? undefined : BigInt(before), limit: LISTED + 1 }
  const [balance, found] = await Promise.all([houseBalance(db, kind, currency), houseLines(db, asked)])
  const lines = found.slice(0, LISTED)
  return {
    balance: balance.toString(),
    lines: lines.map(({ id, at, reason, sourceId, amount, counterpart, customer }) => ({
      id: String(id),
      at: at.toISOString(),
      reason,
      source: sourceId,
      amount: amount.toString(),
      counterpart,
      customerId: customer
    })),
    next: found.length > LISTED ? String(lines.at(-1)?.id) : null
  }
}

async function termsOf(db: Database): Promise<DeskAnswer<'getHouse'>['terms']> {
  const [byCustomers, customers, byOrders] = await Promise.all([
    acceptedAccountTerms(db),
    countCustomers(db),
    acceptedOrderTerms(db)
  ])
  const acceptedIn = (rows: { document: string; version: string; count: number }[], name: string, version?: string) =>
    rows
      .filter((row) => row.document === name && (version === undefined || row.version === version))
      .reduce((sum, { count }) => sum + count, 0)
  return [...ACCOUNT_TERMS, ...ORDER_TERMS].map((name) => {
    const { title, version, effective } = legalText(name)
    const isAccount = (ACCOUNT_TERMS as readonly string[]).includes(name)
    const rows = isAccount ? byCustomers : byOrders
    return {
      title,
      version,
      effective,
      by: isAccount ? ('customers' as const) : ('orders' as const),
      accepted: acceptedIn(rows, name, version),
      of: isAccount ? customers : acceptedIn(rows, name)
    }
  })
}
