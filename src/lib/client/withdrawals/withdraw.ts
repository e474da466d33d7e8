/** Withdrawing a token (spec sections 2, 5 and 8): the form, its confirmation, and the sending, which counts once. */
import type { Answer } from '#lib/contract/types.ts'
import type { ReadAddress } from '#lib/domain/chains/address.ts'
import { type ChainToken, chainOf, NETWORKS } from '#lib/domain/chains/chains.ts'
import { needsDetails } from '#lib/domain/chains/parties.ts'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { centsIn, valueAtMost } from '#lib/domain/rates/prices.ts'
import { receivedOf, smallestWithdrawal, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatCents, formatExactUnits } from '#lib/format/amount.ts'
import { addressTexts } from '#messages/chains/addresses.ts'
import { isTransferError, transferMessages } from '#messages/chains/fields.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { amountMessages } from '#messages/wallet/wallet.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { requestKeys } from '../platform/requestKey.ts'
import { notifyNextPage } from '../platform/toasts.ts'

export type WithdrawalRules = Answer<'getWithdrawalRules'>
export type KnownAddress = Answer<'listWithdrawalAddresses'>[number]
type Field = 'address' | 'publicKey' | 'amount' | 'name' | 'partyAddress' | 'service'
type More = {
  party: 'self' | 'other'
  /** What is said of the address while typing, once it is right. */
  said: string | undefined
  /** As we keep it; undefined while it is not right. */
  read: string | undefined
  accountId: string | undefined
  isConfirming: boolean
}

export type WithdrawFacts = {
  currency: ChainToken
  /** Smallest units that can be withdrawn. */
  spot: bigint
  funding: bigint
  /** USD; undefined where there is no price. */
  price: string | undefined
  eurPerUsd: string | undefined
  rules: WithdrawalRules
  addresses: KnownAddress[]
}
export type Guarded = <T>(action: () => Promise<T>) => Promise<T | undefined>

/** What the figures on the page are made of. */
export function figuresOf({ currency, spot, funding, price, eurPerUsd, rules }: WithdrawFacts, typed: string) {
  const read = readAmount(typed, decimalsOf(currency))
  const units = 'units' in read ? read.units : undefined
  const amount = units ?? 0n
  const { missing, ...from } = spotFirst(amount, { spot, funding })
  const cents = price === undefined ? undefined : valueAtMost(amount, currency, price)
  const euroCents = cents === undefined || eurPerUsd === undefined ? 0n : centsIn('EUR', cents, eurPerUsd)
  return {
    error: read.error,
    units,
    amount,
    received: receivedOf(currency, amount),
    from,
    missing,
    cents,
    needsDetails: needsDetails(euroCents),
    isAboveLimit: cents !== undefined && cents > BigInt(rules.leftCents)
  }
}

const shown = (units: bigint, currency: string) => `${formatExactUnits(units, currency)} ${currency}`

/** What is wrong with the amount; undefined where nothing is. */
function amountProblem(facts: WithdrawFacts, typed: string): string | undefined {
  const { currency, spot, funding, rules } = facts
  const { error, amount, missing, isAboveLimit } = figuresOf(facts, typed)
  if (error) return error === 'amount_required' ? texts.missingAmount : amountMessages[error]
  const fee = WITHDRAWAL_FEES[currency]
  if (missing > 0n) return texts.insufficient(shown(spot + funding, currency))
  if (amount <= fee) return texts.belowFee(shown(amount, currency), shown(fee, currency))
  if (amount < smallestWithdrawal(currency))
    return texts.belowLeast(shown(smallestWithdrawal(currency), currency), shown(fee, currency))
  return isAboveLimit ? texts.aboveLimit(formatCents(BigInt(rules.leftCents), 'USD')) : undefined
}

const keys = requestKeys('withdraw-keys')

/** `go`: opens the next page. */
export function createWithdraw(facts: WithdrawFacts, go: (path: string) => void = (path) => location.assign(path)) {
  const { currency, rules } = facts
  const chain = chainOf(currency)
  const form = createForm<Field, More>(
    { address: '', publicKey: '', amount: '', name: '', partyAddress: '', service: '' },
    { party: 'self', said: undefined, read: undefined, accountId: undefined, isConfirming: false }
  )
  const { state } = form

  const loadChecks = () => loadChunk(() => import('#lib/domain/chains/address.ts'))

  /** Checks the address while it is typed. The checks load hash functions, so they come with the first character. */
  async function check(typed: string): Promise<void> {
    if (typed.trim() === '') return form.change({ said: undefined, read: undefined, accountId: undefined })
    const { readAddress, accountOf } = await loadChecks()
    // Typed on meanwhile.
    if (state.get().fields.address !== typed) return
    const found: ReadAddress = readAddress(chain, typed, { bitcoin: rules.bitcoinNetwork, cpcPrefix: rules.cpcPrefix })
    const { errors } = state.get()
    if (found.fault)
      return form.change({
        errors: { ...errors, address: addressTexts[chain][found.fault] },
        said: undefined,
        read: undefined,
        accountId: undefined
      })
    const accountId = chain === 'cpc' ? accountOf(found.address)?.toString() : undefined
    const said = accountId === undefined ? texts.validAddress(currency) : texts.itsAccount(accountId)
    form.change({ errors: { ...errors, address: undefined }, said, read: found.address, accountId })
    await checkKey(state.get().fields.publicKey)
  }

  async function checkKey(typed: string): Promise<void> {
    const { accountId, errors } = state.get()
    if (chain !== 'cpc' || typed === '' || accountId === undefined) return
    const { accountOfKey } = await loadChecks()
    const isRight = accountOfKey(typed)?.toString() === accountId
    form.change({ errors: { ...errors, publicKey: isRight ? undefined : transferMessages.public_key_wrong } })
  }

  function type(field: Field, text: string): void {
    if (state.get().busy) return
    const typed = field === 'publicKey' ? text.trim() : text
    form.type(field, typed)
    if (field === 'address') void check(typed)
    if (field === 'publicKey') void checkKey(typed)
    if (field === 'amount' && typed !== '') form.put('amount', typed, liveProblem(typed))
  }

  /** While typing, only what further digits cannot mend. */
  function liveProblem(typed: string): string | undefined {
    const { error, missing, isAboveLimit } = figuresOf(facts, typed)
    return error !== 'amount_required' && (error || missing > 0n || isAboveLimit) ? amountProblem(facts, typed) : undefined
  }

  function errorsNow() {
    const { fields, read, party, errors } = state.get()
    const { needsDetails: asks } = figuresOf(facts, fields.amount)
    return {
      address:
        fields.address.trim() === '' ? texts.missingAddress : (errors.address ?? (read ? undefined : addressTexts[chain].form)),
      publicKey: chain !== 'cpc' ? undefined : fields.publicKey === '' ? transferMessages.public_key_wrong : errors.publicKey,
      amount: amountProblem(facts, fields.amount),
      name: asks && fields.name.trim() === '' ? texts.nameMissing : undefined,
      partyAddress: asks && party === 'other' && fields.partyAddress.trim() === '' ? texts.addressMissing : undefined
    }
  }

  async function submit(): Promise<void> {
    const { fields } = state.get()
    if (fields.address.trim() !== '' && state.get().read === undefined) await check(fields.address)
    const isRight = form.check(errorsNow())
    if (fields.address.trim() === '' || fields.amount.trim() === '') form.change({ error: texts.missing })
    if (isRight) form.change({ isConfirming: true })
  }

  function request() {
    const { fields, read, accountId, party } = state.get()
    const { amount, needsDetails: asks } = figuresOf(facts, fields.amount)
    const line = (text: string) => text.trim() || undefined
    const details = asks
      ? {
          details: {
            party,
            name: fields.name.trim(),
            address: party === 'other' ? line(fields.partyAddress) : undefined,
            service: line(fields.service)
          }
        }
      : {}
    const to = read ?? ''
    if (currency === 'BTC') return { name: 'withdrawBtc', body: { amount: amount.toString(), address: to, ...details } } as const
    if (currency === 'CPC')
      return {
        name: 'withdrawCpc',
        body: {
          blockchain: NETWORKS.cpc,
          amount: amount.toString(),
          accountId: accountId ?? '',
          accountRs: to,
          publicKey: fields.publicKey,
          ...details
        }
      } as const
    return { name: 'withdrawEth', body: { currency, amount: amount.toString(), receiver: to, ...details } } as const
  }

  /** Sends it, after a proof of identity where one is needed. Pressed again after a lost answer, it is one withdrawal. */
  async function confirm(guarded: Guarded): Promise<void> {
    if (!form.check(errorsNow())) return
    const asked = request()
    let isDone = false
    await form.submit(async () => {
      const idempotencyKey = keys.keyOf(asked)
      const made = await guarded(() => call(asked.name, { body: asked.body, idempotencyKey } as never))
      if (made === undefined) return
      keys.done()
      isDone = true
    }, explain)
    if (!isDone) return
    notifyNextPage('success', texts.done(currency))
    form.leave()
    go('/package-history?tab=withdrawal')
  }

  function explain(error: unknown) {
    if (error instanceof CallError && Object.keys(error.fields).length > 0) {
      const { address, publicKey, details } = error.fields
      form.change({ isConfirming: false })
      return {
        address: sentenceAt(address),
        publicKey: sentenceAt(publicKey),
        name: sentenceAt(details)
      }
    }
    return sentenceOf(error, texts.failed(currency))
  }

  return {
    state,
    type,
    submit,
    confirm,
    close: () => {
      if (!state.get().busy) form.change({ isConfirming: false, error: undefined })
    },
    takeAll: () => type('amount', formatExactUnits(facts.spot + facts.funding, currency)),
    choose: (party: More['party']) => form.change({ party }),
    /** Takes an address of the address book. */
    take: ({ address, publicKey }: KnownAddress) => {
      type('address', address)
      if (publicKey) type('publicKey', publicKey)
    },
    isKnown: () => facts.addresses.some(({ address, isConfirmed }) => isConfirmed && address === state.get().read)
  }
}

/** What the API said about a field of the form. */
function sentenceAt(code: string | undefined): string | undefined {
  return code && isTransferError(code) ? transferMessages[code] : code && fieldMessages.invalid
}
