/** What two persons decide on the page House, and the worker carries out: the fund, coins kept apart, stakes, lost payments, reading of chains. */
import { CHAINS, type Chain, isChainToken } from '#lib/domain/chains/chains.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { readDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import { isAsLookedAt } from '#lib/domain/rates/doubt.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { userEmailOf } from '../access/index.ts'
import { customerHash, findLost, openStops, releaseSend, stopWithin, wasResumed } from '../chains/index.ts'
import { decideSuspended, findSuspended, suspendedOf, suspenseDecisionOf } from '../deposits/index.ts'
import { bookedUnder, houseBalance } from '../ledger/index.ts'
import { findOrder } from '../orders/index.ts'
import { takenBackOf } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { retryJob } from '../platform/jobs/read.ts'
import type { Work } from '../platform/transaction.ts'
import { openDoubts } from '../rates/index.ts'
import { approvedProposals, DeskError, decideBriefly, keepEntry, type Staff, staffActor } from '../staff/index.ts'
import { endStake, fillFund, heldPayouts, takenBackReference } from '../staking/index.ts'
import { chargedReference, chargeLost } from '../withdrawals/index.ts'
import type { AnyCarried, CarriedAct, CarriedActs } from './carried.ts'
import { ownCustomerOf, requireOthersOrder } from './paymentActs.ts'
import { confirmsPrice } from './prices.ts'
import type { DeskHandlers, Propose } from './types.ts'

const refused = (why: string) => new DeskError('house_refused', { params: { why } })
const shown = (amount: bigint, currency: string) =>
  isChainToken(currency) || currency === 'PTC'
    ? `${formatExactUnits(amount, currency)} ${currency}`
    : `${amount} of the token ${currency}`

type Fill = { currency: string; units: string }
const fundReference = (proposal: string) => `fund:${proposal}`

const fill: CarriedAct<Fill> = {
  right: 'fill_fund',
  subjectOf: ({ currency }) => `fund:${currency}`,
  // That the fund was filled since the proposal is one of the facts, because its need may then be met. Its balance is not: each payout changes it.
  facts: async ({ tx, now }, { currency, units }) => {
    const since = new Date(now.getTime() - PROPOSAL_SECONDS * 1000)
    const approved = await approvedProposals(tx, { right: 'fill_fund', subject: `fund:${currency}`, since })
    let filled = 0
    for (const id of approved) if ((await bookedUnder(tx, fundReference(id))).length > 0) filled += 1
    return { amount: shown(BigInt(units), currency), 'filled within a day': filled === 1 ? 'once' : `${filled} times` }
  },
  plan: async ({ tx }, { currency, units }) => {
    const stock = await houseBalance(tx, 'treasury', currency)
    const isLent = isChainToken(currency) && BigInt(units) > stock
    return [
      { what: 'From our stock to the fund', value: shown(BigInt(units), currency) },
      ...(isLent ? [{ what: 'Our stock', value: 'has less: the rest is owed, as tokens sold without coins are' }] : [])
    ]
  },
  isDone: async (db, _, { proposal }) => (await bookedUnder(db, fundReference(proposal))).length > 0,
  carryOut: async ({ context }, { currency, units }, { actor, proposal }) => {
    await fillFund(context, { currency, units: BigInt(units), reference: proposal, actor })
  }
}

type Coins = { id: string; customer: string }

async function requireSuspended({ tx }: Work, { id }: Coins) {
  const coins = await findSuspended(tx, suspendedOf(id))
  if (!coins) throw refused('These coins are not kept apart any more, or were decided about before.')
  return coins
}

const coins: CarriedAct<Coins> = {
  right: 'decide_coins',
  subjectOf: ({ id }) => `coins:${id}`,
  facts: async (work, input) => {
    const { amount, currency, about, userId } = await requireSuspended(work, input)
    const arrived = userId ? `at the address of customer ${userId}` : 'at no address of a customer'
    return { amount: shown(amount, currency), what: about, 'they arrived': arrived }
  },
  plan: async (work, { id, customer }, by) => {
    const { amount, currency, userId } = await requireSuspended(work, { id, customer })
    if (userId) await requireOthersOrder(work.tx, by, userId)
    if (customer === '') return [{ what: 'Kept by us, in our stock', value: shown(amount, currency) }]
    if (!(await userEmailOf(work.tx, customer))) throw refused('There is no customer with this number.')
    await requireOthersOrder(work.tx, by, customer)
    if (!isChainToken(currency)) throw refused('We hold no balances in this token: it can only be kept.')
    return [
      { what: 'Credited', value: shown(amount, currency) },
      { what: 'To the customer', value: customer },
      ...(userId && userId !== customer ? [{ what: 'Attention', value: 'they arrived at the address of another customer' }] : []),
      { what: 'What they owe for deposits that were taken back', value: 'is paid first' }
    ]
  },
  isDone: async (db, { id }, { why }) => (await suspenseDecisionOf(db, suspendedOf(id)))?.why === why,
  carryOut: async ({ context }, { id, customer }, { actor, why }) => {
    const to = customer === '' ? {} : { userId: customer }
    const refusal = await decideSuspended(context, suspendedOf(id), { actor, why, ...to })
    if (refusal) throw new Error(`The coins ${id} could not be booked: ${refusal}`)
  }
}

type Order = { orderId: string }

async function requireHeld({ tx }: Work, { orderId }: Order) {
  const [held, order] = [await heldPayouts(tx, orderId), await findOrder(tx, orderId, { lock: false })]
  if (!held || !order || (await bookedUnder(tx, takenBackReference(orderId))).length > 0)
    throw refused('Nothing of this order is staked or locked any more.')
  if (!(await takenBackOf(tx, [orderId])).has(orderId)) throw refused('The payment of this order was not taken back.')
  return { ...held, userId: order.userId }
}

const takeBack: CarriedAct<Order> = {
  right: 'take_tokens_back',
  subjectOf: ({ orderId }) => `order:${orderId}`,
  facts: async (work, input) => {
    const { units, currency, open, userId } = await requireHeld(work, input)
    return { customer: userId, 'staked or locked': shown(units, currency), 'open payouts': String(open) }
  },
  plan: async (work, input, by) => {
    const { units, currency, open, userId } = await requireHeld(work, input)
    await requireOthersOrder(work.tx, by, userId)
    return [
      { what: 'Payouts that end', value: String(open) },
      { what: 'Back to our stock', value: shown(units, currency) }
    ]
  },
  isDone: async (db, { orderId }) => (await bookedUnder(db, takenBackReference(orderId))).length > 0,
  carryOut: async ({ context }, { orderId }, { actor, why }) => {
    await endStake(context, { orderId, actor, why })
  }
}

type Lost = { id: string; customer: string }

async function requireLost({ tx }: Work, { id }: Lost) {
  const send = await findLost(tx, id)
  if (!send) throw refused('There is no such lost payment.')
  return send
}

const settle: CarriedAct<Lost> = {
  right: 'settle_lost',
  subjectOf: ({ id }) => `send:${id}`,
  facts: async (work, input) => {
    const { amount, currency, state, releasedAt } = await requireLost(work, input)
    return { amount: shown(amount, currency), state, released: releasedAt ? 'yes' : 'no' }
  },
  plan: async (work, { id, customer }, by) => {
    const send = await requireLost(work, { id, customer })
    const own = await ownCustomerOf(work.tx, by)
    if (own && send.customer === customerHash(own)) throw new DeskError('own_account')
    const amount = shown(send.amount, send.currency)
    if (customer === '') {
      if (send.releasedAt || send.state !== 'signed') throw refused('It was broadcast before, or the chain has it already.')
      return [
        { what: 'Broadcast', value: `${amount} to ${send.receiver}` },
        { what: 'Booked', value: 'as our loss, once the chain has confirmed it' }
      ]
    }
    if (send.state !== 'confirmed') throw refused('The chain has not confirmed it yet.')
    if ((await bookedUnder(work.tx, chargedReference(id))).length > 0) throw refused('It was charged before.')
    if (send.customer !== customerHash(customer)) throw refused('The signer did not sign this payment for that customer.')
    return [
      { what: 'Taken', value: `${amount}, whole or not at all` },
      { what: 'From the customer', value: customer }
    ]
  },
  isDone: async (db, { id, customer }) =>
    customer === '' ? (await findLost(db, id))?.releasedAt != null : (await bookedUnder(db, chargedReference(id))).length > 0,
  carryOut: async ({ context }, { id, customer }, made) => {
    if (customer === '') {
      if (await releaseSend(context, { id, ...made })) return
      throw new Error(`There is no lost payment ${id}`)
    }
    const charged = await chargeLost(context, { id, userId: customer, ...made })
    if (typeof charged === 'string') throw new Error(`The lost payment ${id} cannot be charged: ${charged}`)
    if (charged.missing > 0n)
      throw new Error(`The customer lacks ${shown(charged.missing, charged.currency)}: nothing was booked`)
  }
}

type Reading = { chain: Chain; upTo: string; fromBlock: string }

const stopsOfReading = async ({ tx }: Work, { chain, upTo }: Reading) => {
  const stops = await openStops(tx, chain, 'reading', true)
  if (stops.at(-1)?.id !== BigInt(upTo)) throw new DeskError('chain_not_halted')
  return stops
}

const readOn: CarriedAct<Reading> = {
  right: 'resume_reading',
  subjectOf: ({ chain }) => `reading:${chain}`,
  facts: async (work, input) => Object.fromEntries((await stopsOfReading(work, input)).map(({ id, why }) => [`stop ${id}`, why])),
  plan: async (work, input) => {
    await stopsOfReading(work, input)
    const how =
      input.fromBlock === ''
        ? 'from where it stopped'
        : `from block ${input.fromBlock}: what was booked since is taken back, and booked anew where it is still on the chain`
    return [{ what: 'Read on', value: how }]
  },
  isDone: async (db, { chain }, { why }) => wasResumed(db, chain, 'reading', why),
  carryOut: async ({ readOn: resume }, { chain, upTo, fromBlock }, { actor, why }) =>
    resume(chain, { actor, why, fromHeight: fromBlock === '' ? undefined : Number(fromBlock), upTo: BigInt(upTo) })
}

export const carriedActs: CarriedActs = {
  confirm_price: confirmsPrice as AnyCarried,
  fill_fund: fill as AnyCarried,
  decide_coins: coins as AnyCarried,
  take_tokens_back: takeBack as AnyCarried,
  settle_lost: settle as AnyCarried,
  resume_reading: readOn as AnyCarried
}
type CarriedRight = 'confirm_price' | 'fill_fund' | 'decide_coins' | 'take_tokens_back' | 'settle_lost' | 'resume_reading'
type Stopping = { staff: Staff; why: string; chains: readonly Chain[]; what: 'sending' | 'reading' }

async function stopChains(context: Context, { staff, why, chains, what }: Stopping) {
  const actor = staffActor(staff)
  await decideBriefly(context, staff, 'halt_chain', async (work) => {
    for (const chain of chains) {
      await stopWithin({ db: work.tx, log: context.log, now: work.now }, chain, what, { actor, why })
      await keepEntry(work, { actor, act: 'halt_chain', subject: `${what === 'reading' ? 'reading' : 'chain'}:${chain}`, why })
    }
  })
}

/** In smallest units. Throws `invalid_fields`. */
function unitsOf(amount: string, currency: string): string {
  const [read, digits] = [readDecimal(amount), decimalsOf(currency)]
  const units = read && read.scale <= digits ? toUnits(read, digits, 'down') : 0n
  if (units > 0n) return units.toString()
  throw new DeskError('invalid_fields', { fields: { amount: `An amount above zero with at most ${digits} decimals.` } })
}

type HouseCall =
  | 'proposePrice'
  | 'proposeFund'
  | 'proposeCoins'
  | 'proposeTakeBack'
  | 'proposeLost'
  | 'retryJob'
  | 'haltChain'
  | 'haltAllChains'
  | 'stopReading'
  | 'proposeReading'

export function houseActHandlers(context: Context, proposes: Propose<CarriedRight>): Pick<DeskHandlers, HouseCall> {
  return {
    proposePrice: async ({ staff, params: { currency }, body: { priceUsd, why } }) => {
      const doubt = (await openDoubts(context.db)).find(
        (one) => one.currency === currency && isAsLookedAt(one.priceUsd, priceUsd)
      )
      if (!doubt) throw new DeskError('price_not_doubted')
      return proposes(staff, 'confirm_price', { currency, priceUsd, doubt: String(doubt.id) }, why)
    },
    proposeFund: async ({ staff, params: { currency }, body: { amount, why } }) =>
      proposes(staff, 'fill_fund', { currency, units: unitsOf(amount, currency) }, why),
    proposeCoins: ({ staff, params, body: { customer, why } }) => proposes(staff, 'decide_coins', { ...params, customer }, why),
    proposeTakeBack: ({ staff, body: { why, orderId } }) => proposes(staff, 'take_tokens_back', { orderId }, why),
    proposeLost: ({ staff, params, body: { customer, why } }) => proposes(staff, 'settle_lost', { ...params, customer }, why),
    retryJob: async ({ staff, params, body: { why } }) => {
      await decideBriefly(context, staff, 'retry_job', async (work) => {
        if (!(await retryJob(work, BigInt(params.id)))) throw new DeskError('job_not_failed')
        await keepEntry(work, { actor: staffActor(staff), act: 'retry_job', subject: `job:${params.id}`, why })
      })
      return { message: 'It runs again within a minute.' }
    },
    haltChain: async ({ staff, params, body }) => {
      await stopChains(context, { staff, ...body, chains: [params.chain], what: 'sending' })
      return { message: 'Halted. Nothing is signed or sent on this chain any more.' }
    },
    haltAllChains: async ({ staff, body }) => {
      await stopChains(context, { staff, ...body, chains: CHAINS, what: 'sending' })
      return { message: 'All chains are halted. Nothing is signed or sent any more.' }
    },
    stopReading: async ({ staff, params, body }) => {
      await stopChains(context, { staff, ...body, chains: [params.chain], what: 'reading' })
      return { message: 'Stopped. Its blocks are not read: nothing is credited, taken back or sent on it.' }
    },
    proposeReading: ({ staff, params, body: { why, ...asked } }) =>
      proposes(staff, 'resume_reading', { ...params, ...asked }, why)
  }
}
