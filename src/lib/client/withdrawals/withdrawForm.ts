/** What the form of a withdrawal keeps, how its receiver is checked, and the call that it becomes. */
import type { ReadAddress } from '#lib/domain/chains/address.ts'
import { chainOf, NETWORKS } from '#lib/domain/chains/chains.ts'
import { addressTexts } from '#messages/chains/addresses.ts'
import { transferMessages } from '#messages/chains/fields.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { createForm } from '../platform/form.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { amountProblem, figuresOf, type WithdrawFacts } from './figures.ts'

export type WithdrawField = 'address' | 'publicKey' | 'amount' | 'name' | 'partyAddress' | 'service'
type More = {
  party: 'self' | 'other'
  /** `service`: an exchange or another company holds the wallet. */
  holder: 'own' | 'service'
  /** The hint at the address while typing, once it is right. */
  said: string | undefined
  /** The address as we keep it; undefined while it is not right. */
  read: string | undefined
  accountId: string | undefined
  isConfirming: boolean
}
type WithdrawForm = ReturnType<typeof createWithdrawForm>
type State = ReturnType<WithdrawForm['state']['get']>

/** `amount`: as it was typed elsewhere. */
export function createWithdrawForm(amount: string) {
  return createForm<WithdrawField, More>(
    { address: '', publicKey: '', amount, name: '', partyAddress: '', service: '' },
    { party: 'self', holder: 'own', said: undefined, read: undefined, accountId: undefined, isConfirming: false }
  )
}

/** Checks the receiver while it is typed. The checks load hash functions, so they come with the first character. */
export function createReceiverCheck({ state, change }: WithdrawForm, { currency, rules, addresses }: WithdrawFacts) {
  const chain = chainOf(currency)
  const loadChecks = () => loadChunk(() => import('#lib/domain/chains/address.ts'))

  async function checkAddress(typed: string): Promise<void> {
    if (typed.trim() === '') return change({ said: undefined, read: undefined, accountId: undefined })
    const { readAddress, accountOf } = await loadChecks()
    const isOutdated = state.get().fields.address !== typed
    if (isOutdated) return
    const found: ReadAddress = readAddress(chain, typed, { bitcoin: rules.bitcoinNetwork, cpcPrefix: rules.cpcPrefix })
    const { errors } = state.get()
    if (found.fault)
      return change({
        errors: { ...errors, address: addressTexts[chain][found.fault] },
        said: undefined,
        read: undefined,
        accountId: undefined
      })
    const accountId = chain === 'cpc' ? accountOf(found.address)?.toString() : undefined
    const name = addresses.find(({ address }) => address === found.address)?.name
    const valid = name ? texts.savedAddress(currency, name) : texts.validAddress(currency)
    const said = accountId === undefined ? valid : texts.itsAccount(valid, accountId)
    change({ errors: { ...errors, address: undefined }, said, read: found.address, accountId })
    await checkKey(state.get().fields.publicKey)
  }

  async function checkKey(typed: string): Promise<void> {
    const { accountId, errors } = state.get()
    if (chain !== 'cpc' || typed === '' || accountId === undefined) return
    const { accountOfKey } = await loadChecks()
    const isRight = accountOfKey(typed)?.toString() === accountId
    change({ errors: { ...errors, publicKey: isRight ? undefined : transferMessages.public_key_wrong } })
  }

  return { checkAddress, checkKey }
}

/** The sentence at each field before the withdrawal is sent. */
export function problemsOf(facts: WithdrawFacts, { fields, read, party, holder, errors }: State) {
  const chain = chainOf(facts.currency)
  const { needsDetails } = figuresOf(facts, fields.amount)
  const isEmpty = (field: WithdrawField) => fields[field].trim() === ''
  return {
    address: isEmpty('address') ? texts.missingAddress : (errors.address ?? (read ? undefined : addressTexts[chain].form)),
    publicKey: chain !== 'cpc' ? undefined : isEmpty('publicKey') ? texts.missingPublicKey : errors.publicKey,
    amount: amountProblem(facts, fields.amount),
    name: needsDetails && asksName(facts, party) && isEmpty('name') ? texts.nameMissing : undefined,
    partyAddress: needsDetails && party === 'other' && isEmpty('partyAddress') ? texts.addressMissing : undefined,
    service: needsDetails && holder === 'service' && isEmpty('service') ? texts.serviceMissing : undefined
  }
}

/** True if the form asks for a name: always for somebody else; for the customer only if the identity check gave no name. */
function asksName({ verifiedName }: WithdrawFacts, party: 'self' | 'other'): boolean {
  return party === 'other' || verifiedName === null
}

/** The call of spec section 7 for this token, and its body. */
export function callOf(facts: WithdrawFacts, { fields, read = '', accountId = '', party, holder }: State) {
  const { currency } = facts
  const { amount: units, needsDetails } = figuresOf(facts, fields.amount)
  const amount = units.toString()
  const line = (text: string) => text.trim() || undefined
  const details = needsDetails
    ? {
        details: {
          party,
          name: asksName(facts, party) ? line(fields.name) : undefined,
          address: party === 'other' ? line(fields.partyAddress) : undefined,
          holder,
          service: holder === 'service' ? line(fields.service) : undefined
        }
      }
    : {}
  if (currency === 'BTC') return { name: 'withdrawBtc', body: { amount, address: read, ...details } } as const
  if (currency === 'CPC') {
    const account = { accountId, accountRs: read, publicKey: fields.publicKey }
    return { name: 'withdrawCpc', body: { blockchain: NETWORKS.cpc, amount, ...account, ...details } } as const
  }
  return { name: 'withdrawEth', body: { currency, amount, receiver: read, ...details } } as const
}
