import { useStore } from '@nanostores/react'
import type { MapStore } from 'nanostores'
import type { FormState } from '#lib/client/platform/form.ts'

type Screen<F extends string, S extends FormState<F>> = { state: MapStore<S>; type: (field: F, text: string) => void }

/** The state of a screen's form, `isBusy` while an action runs, and `field(name)`: the props that connect an input to it. */
export function useForm<F extends string, S extends FormState<F>>(screen: Screen<F, S>) {
  const state = useStore(screen.state)
  const field = (name: F) => ({
    value: state.fields[name],
    error: state.errors[name],
    onText: (text: string) => screen.type(name, text)
  })
  return { ...state, isBusy: state.busy !== undefined, field }
}
