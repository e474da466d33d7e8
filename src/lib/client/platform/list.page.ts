/** The script of lists: reloads when the customer returns after a minute, because the data may have changed. */
import { onReturn } from './onReturn.ts'

onReturn(() => {
  if (!document.querySelector('dialog[open]') && !hasEdits()) window.location.reload()
})

/** True if a filter has unsubmitted changes: a reload would lose them. */
function hasEdits(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main form :is(input, select)')]
  return fields.some(
    (field) => field.value !== (field.querySelector<HTMLOptionElement>('[selected]')?.value ?? field.defaultValue ?? '')
  )
}
