/** Hot wallets and cold storage: how full they are, moves and refills that persons agree on, and everything that left our wallets. */
import { randomUUID } from 'node:crypto'
import type { DeskAnswer, DeskInput } from '#lib/contract/desk/shapes.ts'
import { CHAINS, type ChainToken, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { hotStateOf, refillWanted } from '#lib/domain/chains/cold.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, toUnits } from '#lib/domain/money/decimal.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { houseAddress, newestSends, sendStates } from '../chains/index.ts'
import { houseBalance } from '../ledger/index.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import {
  type AnyAct,
  type DeskActs,
  DeskError,
  decideBriefly,
  keepEntry,
  mayStill,
  namesOf,
  type PlanLine,
  personsOf,
  type Staff,
  staffActor,
  type TwoPersonAct
} from '../staff/index.ts'
import {
  agreeToRefill,
  type CustodyKept,
  coldSendId,
  endRefill,
  findRefill,
  keepSignedRefill,
  lastCustody,
  openAmount,
  orderColdMove,
  orderRefill,
  type RefillOrder,
  refillsAndMoves
} from '../withdrawals/index.ts'
import { nameOf } from './names.ts'
import type { DeskSettings } from './settings.ts'
import type { DeskHandlers, Propose } from './types.ts'

type Wallets = DeskAnswer<'getWallets'>
const DAY_MS = 86_400_000
const SHOWN_DAYS = 30

async function walletsOf(context: Context, proof: string): Promise<Wallets> {
  const { db, clock } = context
  const since = new Date(clock().getTime() - SHOWN_DAYS * DAY_MS)
  const [lines, names, { refills, moves }] = await Promise.all([lastCustody(db), namesOf(db), refillsAndMoves(db, since)])
  const wallets = await Promise.all(
    DEPOSITABLE.map(async (currency) => walletOf(currency, await openAmount(db, currency), lines.get(currency)))
  )
  const states = await sendStates(
    db,
    moves.map(({ id }) => coldSendId(id))
  )
  const hotWallets = new Map(
    await Promise.all(
      CHAINS.map(async (chain) => [chain, (await houseAddress(db, proof, chain, 'hot'))?.address ?? null] as const)
    )
  )
  const named = (...actors: (string | null)[]) => actors.flatMap((actor) => (actor ? [nameOf(names, actor)] : []))
  return {
    wallets,
    refills: refills.map((order) => ({
      id: order.id,
      currency: order.currency,
      amount: order.amount.toString(),
      why: order.why,
      persons: named(order.decidedBy, order.approvedBy, order.agreedBy),
      orderedAt: order.orderedAt.toISOString(),
      state: refillStateOf(order),
      pays: order.pays ?? [],
      hotWallet: hotWallets.get(chainOf(order.currency)) ?? null,
      refusal: order.refusal,
      transactionId: order.transactionId
    })),
    moves: moves.map(({ id, currency, amount, why, decidedBy, approvedBy, orderedAt }) => {
      const isOver = clock().getTime() - orderedAt.getTime() > DAY_MS
      return {
        id,
        currency,
        amount: amount.toString(),
        why,
        persons: named(decidedBy, approvedBy),
        orderedAt: orderedAt.toISOString(),
        state: states.get(coldSendId(id)) ?? (isOver ? ('lapsed' as const) : ('waits' as const))
      }
    })
  }
}

function walletOf(currency: ChainToken, open: bigint, line: CustodyKept | undefined): Wallets['wallets'][number] {
  const chain = chainOf(currency)
  if (!line) {
    const unknown = { hot: null, cold: null, elsewhere: null, usdCents: null, floor: null, ceilingCents: null, comparedAt: null }
    return { currency, chain, ...unknown, open: open.toString(), state: 'unknown', refill: '0' }
  }
  const { hot, cold, onChain, floor, usdCents, ceilingCents } = line
  const state = { hot, open, floor }
  return {
    currency,
    chain,
    hot: hot.toString(),
    cold: cold.toString(),
    elsewhere: (onChain > hot + cold ? onChain - hot - cold : 0n).toString(),
    usdCents: usdCents?.toString() ?? null,
    floor: floor.toString(),
    ceilingCents: ceilingCents.toString(),
    open: open.toString(),
    state: hotStateOf(state, usdCents ?? 0n, ceilingCents),
    refill: refillWanted(state).toString(),
    comparedAt: line.comparedAt.toISOString()
  }
}

function refillStateOf(order: RefillOrder): Wallets['refills'][number]['state'] {
  if (order.transactionId) return 'accepted'
  if (order.endedAt) return 'ended'
  if (order.refusal) return 'refused'
  if (!order.agreedBy) return 'for_third'
  if (!order.writtenAt) return 'to_write'
  return order.signed ? 'to_check' : 'to_sign'
}

type Amount = { currency: ChainToken; amount: string }
const unitsOf = ({ currency, amount }: Amount) => toUnits(decimal(amount), decimalsOf(currency), 'down')
const shown = (units: bigint, currency: ChainToken) => `${formatExactUnits(units, currency)} ${currency}`

function requireSome(units: bigint): bigint {
  if (units <= 0n) throw new DeskError('wallet_refused', { params: { why: 'The amount must be above zero.' } })
  return units
}

const move: TwoPersonAct<Amount> = {
  right: 'move_to_cold',
  subjectOf: ({ currency }) => `wallet:${currency}`,
  // What is hot changes with every payment: the signer looks at it when it signs.
  facts: async () => ({}),
  run: async (work, input, { by, proposer, why }) => {
    const amount = requireSome(unitsOf(input))
    await orderColdMove(work, { id: randomUUID(), currency: input.currency, amount, why, ...personsOf({ by, proposer }) })
    return [
      { what: 'To cold storage, within a day', value: shown(amount, input.currency) },
      { what: 'Less', value: 'as far as the floor, the open withdrawals and the limit of the day ask for it' }
    ]
  }
}

const refill: TwoPersonAct<Amount> = {
  right: 'refill',
  subjectOf: ({ currency }) => `wallet:${currency}`,
  facts: async () => ({}),
  run: async (work, input, { by, proposer, why }): Promise<PlanLine[]> => {
    const { currency } = input
    const amount = requireSome(unitsOf(input))
    const cold = -(await houseBalance(work.tx, 'cold', currency))
    if (cold < amount)
      throw new DeskError('wallet_refused', { params: { why: `Cold storage has less than ${shown(amount, currency)}.` } })
    await orderRefill(work, { id: randomUUID(), currency, amount, why, ...personsOf({ by, proposer }) })
    return [
      { what: 'From cold storage to the hot wallet', value: shown(amount, currency) },
      { what: 'Then', value: 'an admin agrees, the file is signed on the offline machine, and its result uploaded' }
    ]
  }
}

export const walletActs: DeskActs = { move_to_cold: move as AnyAct, refill: refill as AnyAct }

type Step = { staff: Staff; id: string }

async function agree(context: Context, { staff, id, why }: Step & { why: string }) {
  await decideBriefly(context, staff, 'agree_refill', async (work) => {
    const order = await findRefill(work.tx, id)
    if (!order) throw new DeskError('not_found')
    // Both who decided it must still have the right to.
    for (const actor of [order.decidedBy, order.approvedBy])
      if (!(await mayStill(work.tx, actor.replace(/^staff:/, ''), 'refill'))) throw new DeskError('refill_not_open')
    if (!(await agreeToRefill(work, id, actorText(staffActor(staff))))) throw new DeskError('refill_not_open')
    await keepEntry(work, { actor: staffActor(staff), act: 'agree_refill', subject: `refill:${id}`, why })
  })
  return { message: 'Agreed. The file is written within a minute.' }
}

async function download(context: Context, { staff, id }: Step) {
  const order = await findRefill(context.db, id)
  if (!order) throw new DeskError('not_found')
  const { file, fileName, endedAt } = order
  if (!file || !fileName || endedAt) throw new DeskError('refill_not_open')
  await decideBriefly(context, staff, 'refill', (work) =>
    keepEntry(work, { actor: staffActor(staff), act: 'download_refill', subject: `refill:${id}`, why: '' })
  )
  return { name: fileName, content: file, type: 'application/octet-stream', encoding: 'base64' as const }
}

async function upload(context: Context, { staff, id, name, file }: Step & { name: string; file: string }) {
  await decideBriefly(context, staff, 'refill', async (work) => {
    if (!(await keepSignedRefill(work, { id, signed: file, signedBy: actorText(staffActor(staff)) })))
      throw new DeskError('refill_not_open')
    await keepEntry(work, { actor: staffActor(staff), act: 'upload_refill', subject: `refill:${id}`, why: '', details: { name } })
  })
  return { message: 'Uploaded. It is checked and broadcast within a minute.' }
}

async function end(context: Context, { staff, id, why }: Step & { why: string }) {
  await decideBriefly(context, staff, 'refill', async (work) => {
    if (!(await endRefill(work, id))) throw new DeskError('refill_not_open')
    await keepEntry(work, { actor: staffActor(staff), act: 'end_refill', subject: `refill:${id}`, why })
  })
  return { message: 'Given up. Make sure that nobody signs its file.' }
}

async function sendsOf({ db }: Context, { chain, before }: DeskInput<'listSends'>['query']): Promise<DeskAnswer<'listSends'>> {
  const [at, id] = before?.split('_') ?? []
  const found = await newestSends(db, { chain, ...(at && id && { before: { at: new Date(at), id } }) })
  const last = found.rows.at(-1)?.send
  return {
    sends: found.rows.map(({ send, attempts, last: newest }) => ({
      id: send.id,
      purpose: send.purpose,
      chain: send.chain,
      currency: send.currency,
      amount: send.amount.toString(),
      receiver: send.receiver,
      state: send.state,
      attempts,
      transactionId: newest?.transactionId ?? null,
      signedAt: send.signedAt.toISOString(),
      settledAt: send.settledAt?.toISOString() ?? null
    })),
    next: found.hasMore && last ? `${last.signedAt.toISOString()}_${last.id}` : null
  }
}

type WalletCall =
  | 'getWallets'
  | 'proposeColdMove'
  | 'proposeRefill'
  | 'agreeRefill'
  | 'downloadRefill'
  | 'uploadRefill'
  | 'endRefill'
  | 'listSends'

export function walletHandlers(
  context: Context,
  settings: DeskSettings,
  proposes: Propose<'move_to_cold' | 'refill', Amount>
): Pick<DeskHandlers, WalletCall> {
  return {
    getWallets: () => walletsOf(context, settings.withdrawals.proof),
    proposeColdMove: ({ staff, params, body: { amount, why } }) => proposes(staff, 'move_to_cold', { ...params, amount }, why),
    proposeRefill: ({ staff, params, body: { amount, why } }) => proposes(staff, 'refill', { ...params, amount }, why),
    agreeRefill: ({ staff, params, body }) => agree(context, { staff, ...params, ...body }),
    downloadRefill: ({ staff, params }) => download(context, { staff, ...params }),
    uploadRefill: ({ staff, params, body }) => upload(context, { staff, ...params, ...body }),
    endRefill: ({ staff, params, body }) => end(context, { staff, ...params, ...body }),
    listSends: ({ query }) => sendsOf(context, query)
  }
}
