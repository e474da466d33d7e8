/**
 * The style sheets: `css`, inlined into the pages before sign-in, with its hash for the content security policy; `href`, for all other
 * pages; and `more`, which some pages link in addition.
 */
import { createHash } from 'node:crypto'
import href from '../css/app.css?url'
import feed from '../css/feed.css?url'
import forms from '../css/forms.css?url'
import home from '../css/home.css?url'
import market from '../css/market.css?url'
import profile from '../css/profile.css?url'
import reading from '../css/reading.css?url'
import css from '../css/signedOut.css?inline'
import token from '../css/token.css?url'
import wallet from '../css/wallet.css?url'

export const styles = {
  css,
  href,
  hash: `sha256-${createHash('sha256').update(css).digest('base64')}`,
  more: { feed, forms, home, market, profile, reading, token, wallet }
} as const
export type MoreStyles = keyof typeof styles.more
