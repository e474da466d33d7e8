/** The link to the identity check (spec sections 2 and 4), and where the check stands meanwhile. */
import { map } from 'nanostores'
import { texts } from '../../messages/screens.ts'
import { call } from '../call.ts'
import { CallError, sentenceOf } from '../failure.ts'

type State = { url: string | undefined; error: string | undefined }

const KEY = 'kyc-link'
/** A link that is about to end is none to give to anybody. */
const MARGIN_MS = 300_000

function recall(nowMs: number): string | undefined {
  const { url, expiresAt } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  return expiresAt && Date.parse(expiresAt) - nowMs > MARGIN_MS ? url : undefined
}

/** `onStatus` is told where the check stands when the page is looked at again. */
export function createVerifyIdentity(onStatus: (status: string) => void, nowMs: () => number = Date.now) {
  const state = map<State>({ url: undefined, error: undefined })
  let looking: Promise<void> | undefined

  /** One link serves every page of this tab for as long as it works. */
  async function load(): Promise<void> {
    state.set({ url: recall(nowMs()), error: undefined })
    if (state.get().url) return
    try {
      const link = await call('getKycLink', { body: {} })
      const url = new URL(link.url, location.origin).href
      sessionStorage.setItem(KEY, JSON.stringify({ url, expiresAt: link.expiresAt }))
      state.setKey('url', url)
    } catch (error) {
      // Completed since this page was made.
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
   * The check is made in another tab: asked for when this one is looked at again, and the link renewed in time. Browsers
   * tell of a return in two ways; one question is enough.
   */
  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  return { state, load, look }
}
