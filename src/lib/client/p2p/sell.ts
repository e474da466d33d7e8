/** Selling (spec section 5): the form, its totals, and sending it with an idempotency key. */
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET, P2P_DAYS, P2P_SETTLEMENT, type P2pDays } from '#lib/domain/p2p/order.ts'
import { checkPrice, differenceOf, grossOf, netOf, readPrice } from '#lib/domain/p2p/settle.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'

type Field = 'amount' | 'price' | 'smallest'
type More = { days: P2pDays }
export type SellFacts = {
  /** Smallest units that can be sold: funding without the frozen part, and spot. */
  funding: bigint
  spot: bigint
  feeBasisPoints: number
  smallestAmount: bigint
  /** USDC for one CPC; undefined if there is no price. */
  reference: string | undefined
}
type Guarded = <T>(action: () => Promise<T>) => Promise<T | undefined>

/** A typed price in the API's format. A comma stays in and is an error: in `0,05` it would be the decimal separator. */
const plainPrice = (typed: string) => typed.replace(/\s/g, '').replace(/^\./, '0.').replace(/\.$/, '')

/** The totals of the form; each is undefined until its inputs are valid. */
export function saleOf({ funding, spot, feeBasisPoints, reference }: SellFacts, fields: Record<Field, string>) {
  const read = readAmount(fields.amount, decimalsOf(P2P_ASSET))
  const amount = 'units' in read ? read.units : undefined
  const price = readPrice(plainPrice(fields.price))
  const judged = price && reference ? checkPrice(price, decimal(reference)) : undefined
  const pair = { assetCurrency: P2P_ASSET, settlementCurrency: P2P_SETTLEMENT, pricePerCoin: plainPrice(fields.price) }
  const gross = amount !== undefined && price ? grossOf(pair, amount) : undefined
  return {
    amount,
    amountError: read.error,
    price,
    judged,
    difference: price && reference ? differenceOf(price, decimal(reference)) : undefined,
    gross,
    net: gross === undefined ? undefined : netOf(gross, feeBasisPoints),
    /** The part that comes from spot. */
    gap: amount !== undefined && amount > funding ? amount - funding : 0n,
    isMissing: amount !== undefined && amount > funding + spot
  }
}

/** The call that the form becomes. */
function bodyOf(facts: SellFacts, { fields, days }: { fields: Record<Field, string>; days: P2pDays }) {
  const { amount = 0n } = saleOf(facts, fields)
  const smallest = readAmount(fields.smallest, decimalsOf(P2P_ASSET))
  return {
    orderType: 'SELL',
    assetCurrency: P2P_ASSET,
    settlementCurrency: P2P_SETTLEMENT,
    listedAssetAmount: amount.toString(),
    pricePerCoin: plainPrice(fields.price),
    settlementCurrencyType: 'CRYPTO',
    paymentMethod: 'INTERNAL_CRYPTO_TRANSFER',
    paymentDetails: '',
    ...('units' in smallest && { smallestFillAmount: smallest.units.toString() }),
    expiresInDays: days
  } as const
}

const requests = keyedRequests<ReturnType<typeof bodyOf>>('p2p-sell-keys')

/** `onListed` is called when the order is in the book. */
export function createSell(facts: () => SellFacts, onListed: (id: string) => void) {
  const form = createForm<Field, More>({ amount: '', price: '', smallest: '' }, { days: P2P_DAYS[1] })
  const { state } = form
  const least = () => `${formatExactUnits(facts().smallestAmount, P2P_ASSET)} ${P2P_ASSET}`

  function amountProblem({ amount, amountError, isMissing }: ReturnType<typeof saleOf>): string | undefined {
    if (amountError === 'amount_required') return texts.amountMissing
    if (amount === undefined) return texts.invalidAmountAbout
    if (isMissing) return texts.fundsMissing(P2P_ASSET)
    return amount < facts().smallestAmount ? texts.smallestIs(least()) : undefined
  }

  function priceProblem({ price, judged }: ReturnType<typeof saleOf>, typed: string): string | undefined {
    if (typed.trim() === '') return texts.priceMissing
    if (!price) return texts.priceInvalid
    return judged === 'refused' ? texts.priceFar(facts().reference ?? '') : undefined
  }

  function smallestProblem(typed: string): string | undefined {
    if (typed.trim() === '') return undefined
    const read = readAmount(typed, decimalsOf(P2P_ASSET))
    if (!('units' in read)) return texts.invalidAmountAbout
    return read.units < facts().smallestAmount ? texts.smallestIs(least()) : undefined
  }

  /** A price that the market refuses is said while it is typed. */
  function type(field: Field, text: string): void {
    if (requests.undecided()) {
      form.change({ error: requests.said() })
      return
    }
    form.type(field, text)
    const { judged } = saleOf(facts(), state.get().fields)
    if (field === 'price' && judged === 'refused') form.put('price', text, texts.priceFar(facts().reference ?? ''))
  }

  /** Sends the order, after a proof of identity where one is needed. A retry after a lost answer makes no second order. */
  async function submit(guarded: Guarded): Promise<void> {
    const { fields } = state.get()
    const sale = saleOf(facts(), fields)
    const errors = {
      amount: amountProblem(sale),
      price: priceProblem(sale, fields.price),
      smallest: smallestProblem(fields.smallest)
    }
    const undecided = requests.undecided()
    if (!undecided && !form.check(errors)) return
    let id: string | undefined
    await form.submit(
      async () => {
        const made = await requests.send(undecided ?? bodyOf(facts(), state.get()), (body, idempotencyKey) =>
          guarded(() => call('createP2pOrder', { body, idempotencyKey }))
        )
        id = made?.id
      },
      (error) => sentenceOf(error, texts.failed)
    )
    if (id === undefined) return
    form.reset()
    onListed(id)
  }

  return {
    state,
    type,
    submit,
    choose: (days: P2pDays) => {
      if (!requests.undecided()) form.change({ days })
    },
    takeAll: () => type('amount', formatExactUnits(facts().funding + facts().spot, P2P_ASSET))
  }
}
