/** The script of lists: what they tell moves on, so one that was left for a minute is read again. */
import { onReturn } from './onReturn.ts'

onReturn(() => {
  if (!document.querySelector('dialog[open]') && !hasEdits()) window.location.reload()
})

/** What was chosen in a filter and not yet asked for stays. */
function hasEdits(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main form :is(input, select)')]
  return fields.some(
    (field) => field.value !== (field.querySelector<HTMLOptionElement>('[selected]')?.value ?? field.defaultValue ?? '')
  )
}
