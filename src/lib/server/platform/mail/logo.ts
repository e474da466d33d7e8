/** The logo is attached to every mail, so that a mail program shows it without a request to a server. */
import { fileURLToPath } from 'node:url'

export const LOGO_ID = 'logo'
/** The same picture as the icon of the site. */
export const LOGO_PATH = fileURLToPath(new URL('../../../../../public/icon-192.png', import.meta.url))
export const LOGO_URL = '/icon-192.png'
