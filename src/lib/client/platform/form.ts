/**
 * The state of one form: its fields, their errors, the running action, and how long to wait. Every screen that sends
 * something is built on it; `useForm` connects it to the view.
 */
import { map } from 'nanostores'

export type FormErrors<F extends string> = Partial<Record<F, string | undefined>>

export type FormState<F extends string> = {
  fields: Record<F, string>
  /** The sentence shown at each wrong field. */
  errors: FormErrors<F>
  /** The sentence about the form as a whole. */
  error: string | undefined
  /** The name of the running action, or 'leaving' while the next page loads. Only one action runs at a time. */
  busy: string | undefined
  /** Epoch milliseconds until which the customer has to wait, e.g. for another code. */
  waitUntilMs: number
}

/** `more`: further state of the screen, e.g. its step. */
export function createForm<F extends string, More extends object>(
  fields: Record<F, string>,
  more: More,
  nowMs: () => number = Date.now
) {
  type State = FormState<F> & More
  const initial: State = { fields, errors: {}, error: undefined, busy: undefined, waitUntilMs: 0, ...more }
  const state = map<State>(initial)

  function set(changes: Partial<FormState<F>>): void {
    state.set({ ...state.get(), ...changes })
  }

  /** Sets one field with its error, even while an action runs. */
  function put(field: F, text: string, error?: string): void {
    const { fields, errors } = state.get()
    set({ fields: { ...fields, [field]: text }, errors: { ...errors, [field]: error }, error: undefined })
  }

  /** Sets one field; ignored while an action runs, so that the fields being sent do not change. */
  function type(field: F, text: string): void {
    if (!state.get().busy) put(field, text)
  }

  /** Shows these errors; returns true if there are none. */
  function check(errors: FormErrors<F>): boolean {
    set({ errors, error: undefined })
    return !Object.values(errors).some(Boolean)
  }

  /**
   * Runs `action` unless another one is running. If it fails, `explain` returns the sentences to show: at fields, for
   * the form as a whole, or none. `keepsErrors` leaves earlier errors in place, e.g. when another code is requested.
   * Returns true on success.
   */
  async function submit(
    action: () => Promise<unknown>,
    explain: (error: unknown) => FormErrors<F> | string | undefined,
    name = 'submit',
    keepsErrors = false
  ): Promise<boolean> {
    if (state.get().busy) return false
    set({ busy: name, ...(!keepsErrors && { errors: {}, error: undefined }) })
    try {
      await action()
      return true
    } catch (error) {
      const said = explain(error)
      const kept = keepsErrors ? state.get().errors : {}
      set(typeof said === 'object' ? { errors: { ...kept, ...said } } : { error: said })
      return false
    } finally {
      if (state.get().busy === name) set({ busy: undefined })
    }
  }

  return {
    state,
    put,
    type,
    check,
    submit,
    change: set as (changes: Partial<State>) => void,
    /** Back to the start, apart from `kept`. */
    reset: (kept: Partial<State> = {}) => state.set({ ...initial, ...kept }),
    /** Call when the next page was requested: blocks every further action. */
    leave: () => set({ busy: 'leaving' }),
    wait: (seconds: number) => set({ waitUntilMs: nowMs() + seconds * 1000 }),
    mustWait: () => nowMs() < state.get().waitUntilMs
  }
}
