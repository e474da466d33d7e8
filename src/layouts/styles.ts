/** The style sheets: the one inside the pages before sign-in with its hash for the content security policy, and every page's URL. */
import { createHash } from 'node:crypto'
import href from './css/app.css?url'
import css from './css/entrance.css?inline'

export const styles = { css, href, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` } as const
