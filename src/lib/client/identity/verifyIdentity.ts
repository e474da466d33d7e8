/** The link to the identity check (spec sections 2 and 4), and the check's status. */

import { map } from 'nanostores'
import { KYC_LINK_SECONDS } from '#lib/domain/identity/check.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { session } from '../platform/session.ts'

type State = { url: string | undefined; error: string | undefined }

const KEY = 'kyc-link'
/** Do not reuse a link that expires within five minutes. */
const MARGIN_MS = 300_000

type Link = { url: string; expiresAtMs: number }

const customer = () => session.get()?.user.userUid

/** Returns this tab's link if it belongs to this customer: another customer may have signed in since. */
function recall(nowMs: number): Link | undefined {
  const { userUid, url, expiresAtMs = 0 } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  return userUid === customer() && expiresAtMs - nowMs > MARGIN_MS ? { url, expiresAtMs } : undefined
}

/** `onStatus` receives the status of the check when the customer returns to the page. */
export function createVerifyIdentity(onStatus: (status: string) => void, nowMs: () => number = Date.now) {
  const state = map<State>({ url: undefined, error: undefined })
  let looking: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Renews the link before it expires. The minimum wait prevents a loop if the device's clock is ahead. */
  function show({ url, expiresAtMs }: Link): void {
    state.set({ url, error: undefined })
    clearTimeout(timer)
    timer = setTimeout(() => void load(), Math.max(MARGIN_MS, expiresAtMs - MARGIN_MS - nowMs()))
  }

  /** All pages of this tab share one link while it is valid. */
  async function load(): Promise<void> {
    const known = recall(nowMs())
    if (known) return show(known)
    state.set({ url: undefined, error: undefined })
    try {
      const answer = await call('getKycLink', { body: { ttlInSecs: KYC_LINK_SECONDS } })
      const link = { url: new URL(answer.url, location.origin).href, expiresAtMs: Date.parse(answer.expiresAt) }
      sessionStorage.setItem(KEY, JSON.stringify({ ...link, userUid: customer() }))
      show(link)
    } catch (error) {
      // The check was completed after this page was made.
      if (error instanceof CallError && error.code === 'kyc_completed') return onStatus('completed')
      state.setKey('error', sentenceOf(error, texts.unreachable))
    }
  }

  async function lookOnce(): Promise<void> {
    const kycData = await call('getKycData').catch(() => undefined)
    if (kycData) onStatus(kycData.review.reviewStatus)
    if (kycData?.review.reviewStatus !== 'completed' && state.get().url && !recall(nowMs())) await load()
  }

  /**
   * Runs when the customer returns from the check in another tab: reads its status and renews the link in time.
   * Browsers report a return by two events; one request is enough.
   */
  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  return { state, load, look, stop: () => clearTimeout(timer) }
}
