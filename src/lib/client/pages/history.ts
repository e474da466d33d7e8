/** The script of the history: orders move on at the bank, so a list that was left for a minute is read again. */

const AWAY_MS = 60_000
let leftAt = 0

document.addEventListener('visibilitychange', () => {
  if (document.hidden) leftAt = Date.now()
  else if (leftAt > 0 && Date.now() - leftAt >= AWAY_MS && !document.querySelector('dialog[open]')) window.location.reload()
})
