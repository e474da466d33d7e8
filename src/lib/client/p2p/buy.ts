/** Buying from an order: amount, cost, the accounts that pay, and sending it with an idempotency key. */
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { fillFault } from '#lib/domain/p2p/order.ts'
import { grossOf } from '#lib/domain/p2p/settle.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'
import type { BookOrder } from './book.ts'

type More = { order: BookOrder | undefined }
/** The customer's available settlement currency, in smallest units. */
export type BuyFacts = { funding: bigint; spot: bigint }
type Guarded = <T>(action: () => Promise<T>) => Promise<T | undefined>

/** The cost of buying the typed amount, the part that spot pays (`gap`), and the problem with it, if any. */
export function purchaseOf({ funding, spot }: BuyFacts, order: BookOrder, typed: string) {
  const { asset_currency: asset, settlement_currency: settlement } = order
  const [rest, smallestFill] = [BigInt(order.remaining_asset_amount), BigInt(order.smallest_fill_amount)]
  const read = readAmount(typed, decimalsOf(asset))
  const amount = 'units' in read ? read.units : undefined
  const pair = { assetCurrency: asset, settlementCurrency: settlement, pricePerCoin: order.price_per_coin }
  const gross = amount === undefined ? 0n : grossOf(pair, amount)
  const shown = (units: bigint) => `${formatExactUnits(units, asset)} ${asset}`
  const fault = amount === undefined ? undefined : fillFault({ rest, smallestFill }, amount)
  const sentence =
    read.error === 'amount_required'
      ? texts.amountMissing
      : amount === undefined
        ? texts.invalidAmountAbout
        : fault === 'leaves_too_little'
          ? texts.leavesTooLittle(shown(smallestFill))
          : fault
            ? texts.fillRange(shown(smallestFill), shown(rest))
            : gross > funding + spot
              ? texts.fundsMissing(settlement)
              : undefined
  return { amount, gross, gap: gross > funding ? gross - funding : 0n, problem: sentence }
}

const requests = keyedRequests<{ id: string; amount: string }>('p2p-buy-keys')

/** `onBought`: the trade is booked. `onGone`: the purchase failed; the order may be closed or have another amount left. */
export function createBuy(
  facts: () => BuyFacts,
  { onBought, onGone }: { onBought: (amount: string) => void; onGone: () => void }
) {
  const form = createForm<'amount', More>({ amount: '' }, { order: undefined })
  const { state } = form

  const undecidedOf = (order: BookOrder | undefined) => order && requests.undecided(order.id)

  function checked(order: BookOrder, typed: string) {
    const { amount, problem } = purchaseOf(facts(), order, typed)
    return form.check({ amount: problem }) && amount !== undefined ? { id: order.id, amount: amount.toString() } : undefined
  }

  async function submit(guarded: Guarded): Promise<void> {
    const { order, fields } = state.get()
    if (!order) return
    const asked = undecidedOf(order) ?? checked(order, fields.amount)
    if (!asked) return
    let isDone = false
    await form.submit(
      async () => {
        const made = await requests.send(
          asked,
          ({ id, amount }, idempotencyKey) =>
            guarded(() => call('fillP2pOrder', { params: { id }, body: { amount }, idempotencyKey })),
          order.id
        )
        isDone = made !== undefined
      },
      (error) => {
        if (!undecidedOf(order)) onGone()
        return sentenceOf(error, texts.failed)
      }
    )
    if (!isDone) return
    onBought(`${formatExactUnits(asked.amount, order.asset_currency)} ${order.asset_currency}`)
  }

  return {
    state,
    type: (field: 'amount', text: string) => {
      const { order } = state.get()
      if (undecidedOf(order)) form.change({ error: requests.said(order?.id) })
      else form.type(field, text)
    },
    submit,
    /** Opens with all that is left, or with what is undecided. */
    open: (order: BookOrder) => {
      const { amount = order.remaining_asset_amount } = undecidedOf(order) ?? {}
      form.reset({ order, fields: { amount: formatExactUnits(amount, order.asset_currency) }, error: requests.said(order.id) })
    },
    /** Takes newer figures of the order, and keeps what was typed. */
    update: (orders: BookOrder[]) => {
      const { order } = state.get()
      const newer = orders.find(({ id }) => id === order?.id)
      if (newer) form.change({ order: newer })
    }
  }
}
