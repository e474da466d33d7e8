/** Withdrawing a token (spec sections 2, 5 and 8): the form, its confirmation, and the sending, which counts once. */
import { DETAILS_ABOVE_EURO_CENTS } from '#lib/domain/chains/parties.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { isTransferError, transferMessages } from '#messages/chains/fields.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { keyedRequests } from '../platform/keyedRequests.ts'
import { notifyNextPage } from '../platform/toasts.ts'
import { amountProblem, type KnownAddress, liveAmountProblem, type WithdrawFacts } from './figures.ts'
import { callOf, createReceiverCheck, createWithdrawForm, problemsOf, type WithdrawField } from './withdrawForm.ts'

export type Guarded = <T>(action: () => Promise<T>) => Promise<T | undefined>

const requests = keyedRequests<ReturnType<typeof callOf>>('withdraw-keys')

/** `go`: opens the next page. */
export function createWithdraw(facts: WithdrawFacts, go: (path: string) => void = (path) => location.assign(path)) {
  const { currency } = facts
  const form = createWithdrawForm(facts.amount)
  const { state } = form
  const { checkAddress, checkKey } = createReceiverCheck(form, facts)
  const check = () => form.check(problemsOf(facts, state.get()))

  function type(field: WithdrawField, text: string): void {
    if (state.get().busy || requests.undecided()) return
    const typed = field === 'publicKey' ? text.trim() : text
    form.type(field, typed)
    if (field === 'address') void checkAddress(typed)
    if (field === 'publicKey') void checkKey(typed)
    if (field === 'amount' && typed !== '') form.put('amount', typed, liveAmountProblem(facts, typed))
  }

  /** Says what is wrong with the amount once the field is left: before, further digits might mend it. */
  function leaveAmount(): void {
    const { fields, errors, busy } = state.get()
    if (!busy && fields.amount.trim() !== '' && !errors.amount)
      form.put('amount', fields.amount, amountProblem(facts, fields.amount))
  }

  async function submit(): Promise<void> {
    const { fields, read } = state.get()
    if (fields.address.trim() !== '' && read === undefined) await checkAddress(fields.address)
    const isRight = check()
    if (fields.address.trim() === '' || fields.amount.trim() === '') form.change({ error: texts.missing })
    if (isRight) form.change({ isConfirming: true })
  }

  /** Sends it, after a proof of identity where one is needed. Pressed again after a lost answer, it is one withdrawal. */
  async function confirm(guarded: Guarded): Promise<void> {
    const asked = requests.undecided() ?? (check() && callOf(facts, state.get()))
    if (!asked) return
    let isDone = false
    await form.submit(async () => {
      const made = await requests.send(asked, ({ name, body }, idempotencyKey) =>
        guarded(() => call(name, { body, idempotencyKey } as never))
      )
      isDone = made !== undefined
    }, explain)
    if (!isDone) return
    notifyNextPage('success', texts.done(currency))
    form.leave()
    go('/package-history?tab=withdrawal')
  }

  function explain(error: unknown) {
    const { address, publicKey, details: name } = error instanceof CallError ? error.fields : {}
    if (!address && !publicKey && !name) return sentenceOf(error, texts.failed(currency))
    // More was withdrawn today than this page knows of: from now on it asks for the details, whatever the amount.
    if (name) facts.rules.linkedEuroCents = `${DETAILS_ABOVE_EURO_CENTS + 1n}`
    form.change({ isConfirming: false })
    return { address: sentenceAt(address), publicKey: sentenceAt(publicKey), name: sentenceAt(name) }
  }

  return {
    state,
    type,
    submit,
    leaveAmount,
    confirm,
    close: () => {
      if (!state.get().busy) form.change({ isConfirming: false, error: requests.said() })
    },
    takeAll: () => type('amount', formatExactUnits(facts.spot + facts.funding, currency)),
    choose: (party: 'self' | 'other') => form.change({ party }),
    hold: (holder: 'own' | 'service') => form.change({ holder }),
    /** Fills in an address of the address book. */
    useAddress: ({ address, publicKey }: KnownAddress) => {
      type('address', address)
      if (publicKey) type('publicKey', publicKey)
    },
    isKnown: () => facts.addresses.some(({ address, isConfirmed }) => isConfirmed && address === state.get().read)
  }
}

/** The sentence for the API's code at a field of the form. */
function sentenceAt(code: string | undefined): string | undefined {
  return code && (isTransferError(code) ? transferMessages[code] : fieldMessages.invalid)
}
