/** What was typed into a form whose page must be shown anew, because what it decides about has changed: it is put back into its fields. */
import type { Refused } from './call.ts'

const TYPED = 'typed'

type Failure = Refused['failure']
type Typed = { call: string; params: string; values: Record<string, string>; failure: Failure }
type Field = HTMLInputElement | HTMLTextAreaElement

const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<Field>('textarea[name], input[name]:not([type=hidden])')]

/** Shows the page anew, at the form's `data-again` where it has one: the address of the same subject. */
export function showAnew(form: HTMLFormElement, failure: Failure): void {
  const { call = '', params = '', again } = form.dataset
  const values = Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]))
  sessionStorage.setItem(TYPED, JSON.stringify({ call, params, values, failure } satisfies Typed))
  if (again) history.replaceState(null, '', again)
  location.reload()
}

/**
 * Fills the form that was left with `showAnew`, opens the part that it is in, and returns it with the failure to show there. Kept until a page has that form,
 * e.g. after another sign-in, and forgotten with it.
 */
export function putBack(): { form: HTMLFormElement; failure: Failure } | undefined {
  const kept = sessionStorage.getItem(TYPED)
  if (!kept) return undefined
  const { call, params, values, failure } = JSON.parse(kept) as Typed
  const forms = [...document.querySelectorAll<HTMLFormElement>('form.act')]
  const form = forms.find(({ dataset }) => dataset.call === call && dataset.params === params)
  if (!form) return undefined
  sessionStorage.removeItem(TYPED)
  for (const field of fieldsOf(form)) field.value = values[field.name] ?? field.value
  const part = form.closest('details')
  if (part) part.open = true
  return { form, failure }
}
