/** The script of the history: orders move on at the bank, so a list that was left for a minute is read again. */
import { onReturn } from '../onReturn.ts'

onReturn(() => {
  if (!document.querySelector('dialog[open]')) window.location.reload()
})
