/** The style sheet of every page: its text, its hash for the content security policy, and its URL. */
import { createHash } from 'node:crypto'
import css from './css/app.css?inline'
import href from './css/app.css?url'

export const styles = { css, href, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` } as const
