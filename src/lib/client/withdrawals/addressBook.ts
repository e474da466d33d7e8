/** The address book and the whitelist: each change is one call, after a proof of identity where one is needed. */
import { map } from 'nanostores'
import type { Answer } from '#lib/contract/types.ts'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { addressTexts } from '#messages/chains/addresses.ts'
import { isTransferError, transferMessages } from '#messages/chains/fields.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { notify } from '../platform/toasts.ts'
import type { KnownAddress, WithdrawalRules } from './figures.ts'
import type { Guarded } from './withdraw.ts'

type Field = 'name' | 'address' | 'publicKey'
type More = { chain: Chain; isListed: boolean; isOpen: boolean }
type Known = { addresses: KnownAddress[]; whitelist: WithdrawalRules['whitelist'] }

export function createAddressBook(first: Known, guarded: Guarded) {
  const known = map<Known>(first)
  const form = createForm<Field, More>(
    { name: '', address: '', publicKey: '' },
    { chain: 'bitcoin', isListed: false, isOpen: false }
  )
  const { state } = form

  async function read(): Promise<void> {
    const [addresses, { whitelist }]: [Answer<'listWithdrawalAddresses'>, WithdrawalRules] = await Promise.all([
      call('listWithdrawalAddresses'),
      call('getWithdrawalRules')
    ])
    known.set({ addresses, whitelist })
  }

  function explain(error: unknown) {
    if (!(error instanceof CallError) || Object.keys(error.fields).length === 0) return sentenceOf(error, texts.unreachable)
    const { address, publicKey } = error.fields
    const fault = address?.replace('address_', '') as keyof (typeof addressTexts)[Chain]
    return {
      address: address && (addressTexts[state.get().chain][fault] ?? sentenceAt(address)),
      publicKey: sentenceAt(publicKey)
    }
  }

  /** Runs one action at a time. `name` appears in `busy`; the success message comes from the API. */
  async function act(name: string, action: () => Promise<{ message: string }>): Promise<boolean> {
    let message: string | undefined
    const isDone = await form.submit(
      async () => {
        message = (await guarded(action))?.message
        if (message) await read()
      },
      explain,
      name
    )
    if (message) notify('success', message)
    return isDone && message !== undefined
  }

  async function add(): Promise<void> {
    const { fields, chain, isListed } = state.get()
    const { name, address, publicKey } = fields
    const body = { chain, address, name, isListed, ...(chain === 'cpc' && { publicKey }) }
    if (await act('add', () => call('keepWithdrawalAddress', { body }))) form.reset()
  }

  const errorOf = async (doing: Promise<boolean>): Promise<void> => {
    await doing
    const { error } = state.get()
    if (error) notify('error', error)
  }

  return {
    state,
    known,
    type: form.type,
    choose: (chain: string) => form.change({ chain: CHAINS.find((one) => one === chain) ?? 'bitcoin', errors: {} }),
    setListed: (isListed: boolean) => form.change({ isListed }),
    open: (isOpen: boolean) => form.change({ isOpen }),
    add,
    list: ({ chain, address, publicKey, name }: KnownAddress) =>
      errorOf(
        act(`list ${address}`, () =>
          call('keepWithdrawalAddress', { body: { chain, address, name, isListed: true, ...(publicKey && { publicKey }) } })
        )
      ),
    remove: ({ id, address }: KnownAddress) =>
      errorOf(act(`remove ${address}`, () => call('removeWithdrawalAddress', { body: { id } }))),
    setWhitelist: (isOn: boolean) => errorOf(act('whitelist', () => call('setWithdrawalWhitelist', { body: { isOn } })))
  }
}

/** The sentence for the API's error code of a field. */
function sentenceAt(code: string | undefined): string | undefined {
  return code && isTransferError(code) ? transferMessages[code] : code && fieldMessages.invalid
}
