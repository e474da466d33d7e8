/**
 * Passkeys among the suggestions of the email field, in browsers that have them (WebAuthn's conditional mediation). Without the library that
 * the button loads: this much is on the page before anybody has pressed anything.
 */
import { apiUrl, send } from '../platform/transport.ts'

/** Shorter than the five minutes for which a passkey's question is open. */
const ASK_AGAIN_MS = 4 * 60_000

/** `onChosen`: gets the answer of the passkey that the customer has chosen. */
export function createPasskeyAutofill(onChosen: (answer: object) => void, nowMs: () => number = Date.now) {
  let asked: AbortController | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let again: ReturnType<typeof setTimeout> | undefined

  /** Call before another question, or the browser refuses it. */
  function stop(): void {
    clearTimeout(again)
    asked?.abort()
    asked = undefined
    askedAtMs = Number.NEGATIVE_INFINITY
  }

  /** Whatever fails leaves the page as it is without suggestions. */
  async function offer(): Promise<void> {
    if (nowMs() - askedAtMs < ASK_AGAIN_MS) return
    stop()
    askedAtMs = nowMs()
    // A field may keep the focus for longer than the question is open.
    again = setTimeout(() => document.visibilityState === 'visible' && void offer(), ASK_AGAIN_MS)
    const mine = new AbortController()
    asked = mine
    try {
      const { PublicKeyCredential: passkeys } = window
      if (!passkeys?.parseRequestOptionsFromJSON || !(await passkeys.isConditionalMediationAvailable?.())) return
      const answer = await send(apiUrl('/users/signin/passkey/options'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
        signal: mine.signal
      })
      const { data } = await answer.json()
      const publicKey = passkeys.parseRequestOptionsFromJSON(data)
      const chosen = await navigator.credentials.get({ mediation: 'conditional', publicKey, signal: mine.signal })
      if (asked !== mine) return
      // Answered: it cannot be asked a second time.
      stop()
      if (chosen) onChosen((chosen as PublicKeyCredential).toJSON())
    } catch {
      // Stopped, or not possible.
    }
  }

  return { offer, stop }
}
