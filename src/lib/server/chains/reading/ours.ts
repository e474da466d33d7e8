/** The parts of a block that concern us: payments to our addresses, and transactions that spend our coins. Looked up by index. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Executor } from '../../platform/db/client.ts'
import { type Block, type ChainPayment, type ChainTransaction, NodeError } from '../port.ts'
import { chainAddresses, chainAttempts, chainOutputs, chainSends, type SendPurpose } from '../schema.ts'

/** Newly mined bitcoin may be spent in the hundredth block after theirs. Source: Bitcoin Core, `COINBASE_MATURITY`. */
const MATURE_BLOCKS = 100
/** A statement of PostgreSQL takes at most 65,535 parameters. */
export const ROWS_AT_ONCE = 1000

type AddressRow = typeof chainAddresses.$inferSelect
export type OurPayment = ChainPayment & {
  transactionId: string
  to: AddressRow
  /** Asked for by one of our own sends: a sweep, a top-up or change. */
  isFromUs: boolean
  /** The height of the block with which newly mined coins may be spent; undefined for all others. */
  maturesAt: number | undefined
}
/** A transaction that spends our coins; `from`: the account that paid, on chains with accounts. */
export type OurTransaction = { transaction: ChainTransaction; from: AddressRow | undefined }
export type Ours = { payments: OurPayment[]; sent: OurTransaction[] }

/** What transactions say of our addresses, however a node orders it: who paid, what arrived, what was undone, and the fee. */
function aboutUs(transactions: ChainTransaction[], ours: Map<string, AddressRow>): string {
  const lines = transactions.flatMap(({ id, senders, nonce, fee, isUndone = false, payments }) => [
    ...senders.filter((sender) => ours.has(sender)).map((sender) => [id, 'from', sender, `${nonce}`, `${fee}`, isUndone]),
    ...payments
      .filter(({ address }) => ours.has(address))
      .map(({ address, token, amount }) => [id, 'to', address, token, `${amount}`])
  ])
  return JSON.stringify(lines.map((line) => line.join(' ')).toSorted())
}

/**
 * What a block does to our addresses. Throws a NodeError if a second node shows something else of them. Stores Bitcoin's outputs to our
 * addresses, so that a transaction that spends them later is recognised.
 */
export async function findOurs(tx: Executor, chain: Chain, { height, transactions, other }: Block): Promise<Ours> {
  const named = [...transactions, ...(other?.transactions ?? [])].flatMap(({ payments, senders }) => [
    ...payments.map(({ address }) => address),
    ...senders
  ])
  const ours = new Map((await addressesAmong(tx, chain, named)).map((row) => [row.address, row]))
  if (other && aboutUs(transactions, ours) !== aboutUs(other.transactions, ours))
    throw new NodeError(`The two nodes show different payments of ours in block ${height}`)
  const payments = transactions.flatMap((transaction) =>
    transaction.payments.flatMap((payment) => {
      const to = ours.get(payment.address)
      const maturesAt = transaction.isNewlyMined ? height + MATURE_BLOCKS - 1 : undefined
      return to ? [{ ...payment, transactionId: transaction.id, to, maturesAt }] : []
    })
  )
  if (chain === 'bitcoin') await keepOutputs(tx, chain, height, payments)
  const spent = chain === 'bitcoin' ? await spend(tx, chain, height, transactions) : new Set<string>()
  const sent = transactions.flatMap((transaction) => {
    const from = transaction.senders.map((sender) => ours.get(sender)).find(Boolean)
    return from || transaction.spends.some((outpoint) => spent.has(outpoint)) ? [{ transaction, from }] : []
  })
  return { payments: await judge(tx, chain, payments, sent), sent }
}

/**
 * Says of each payment whether one of our sends asked for it. In a transaction that our account began, a contract may pay our addresses
 * too, e.g. send back what it was paid: such a payment is a deposit like any other, as is what one customer withdraws to the address of
 * another. A transaction that we do not know moves our own coins with our key, so that nothing in it is a deposit; it stops the chain.
 */
async function judge(tx: Executor, chain: Chain, payments: Unjudged[], sent: OurTransaction[]): Promise<OurPayment[]> {
  const ids = sent.map(({ transaction }) => transaction.id)
  const asked = ids.length === 0 ? [] : await sendsAmong(tx, chain, ids)
  const begunByUs = new Set(ids)
  return payments.map((payment) => {
    const send = asked.find(({ transactionId }) => transactionId === payment.transactionId)
    if (!begunByUs.has(payment.transactionId) || !send) return { ...payment, isFromUs: begunByUs.has(payment.transactionId) }
    const isToCustomer = PAYOUTS.includes(send.purpose) && payment.to.purpose === 'deposit'
    // Its other outputs are our change.
    if (chain === 'bitcoin') return { ...payment, isFromUs: !isToCustomer }
    const isIt = ({ to, token, amount, transactionId }: Unjudged) =>
      transactionId === send.transactionId && to.address === send.receiver && token === send.token && amount === send.amount
    // Once: a second payment of the same amount is not the one that was asked for.
    return { ...payment, isFromUs: payments.find(isIt) === payment && !isToCustomer }
  })
}

const PAYOUTS: SendPurpose[] = ['withdrawal', 'return']

function sendsAmong(tx: Executor, chain: Chain, transactionIds: string[]) {
  return tx
    .select({
      transactionId: chainAttempts.transactionId,
      purpose: chainSends.purpose,
      receiver: chainSends.receiver,
      token: chainSends.currency,
      amount: chainSends.amount
    })
    .from(chainAttempts)
    .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
    .where(and(eq(chainAttempts.chain, chain), inArray(chainAttempts.transactionId, transactionIds)))
}

/** For a comparison with any text of a list. The list is one parameter, of any length, and is planned as one lookup by index. */
export const amongTexts = (list: string[]) => sql`any(array(select jsonb_array_elements_text(${JSON.stringify(list)}::jsonb)))`

export async function addressesAmong(tx: Executor, chain: Chain, list: string[]): Promise<AddressRow[]> {
  if (list.length === 0) return []
  const isAmong = sql`${chainAddresses.address} = ${amongTexts([...new Set(list)])}`
  return tx
    .select()
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, chain), isAmong))
}

type Unjudged = Omit<OurPayment, 'isFromUs'>

async function keepOutputs(tx: Executor, chain: Chain, height: number, payments: Unjudged[]): Promise<void> {
  for (let from = 0; from < payments.length; from += ROWS_AT_ONCE) {
    await tx.insert(chainOutputs).values(
      payments
        .slice(from, from + ROWS_AT_ONCE)
        .map(({ transactionId, index, to, amount, maturesAt = null, isOlderForm = false }) => ({
          chain,
          outpoint: `${transactionId}:${index}`,
          addressId: to.id,
          amount,
          height,
          maturesAt,
          isOlderForm
        }))
    )
  }
}

/** Marks our coins that the block spends, and returns their outpoints. */
async function spend(tx: Executor, chain: Chain, height: number, transactions: ChainTransaction[]): Promise<Set<string>> {
  const spends = transactions.flatMap((one) => one.spends)
  if (spends.length === 0) return new Set()
  const spent = await tx
    .update(chainOutputs)
    .set({ spentHeight: height })
    .where(and(eq(chainOutputs.chain, chain), sql`${chainOutputs.outpoint} = ${amongTexts(spends)}`))
    .returning({ outpoint: chainOutputs.outpoint })
  return new Set(spent.map(({ outpoint }) => outpoint))
}
