/** The logo of every mail travels with it, so that a mail program shows it without asking anybody for it. */
import { fileURLToPath } from 'node:url'

export const LOGO_ID = 'logo'
/** The same picture as the icon of the site. */
export const LOGO_PATH = fileURLToPath(new URL('../../../../../public/icon-192.png', import.meta.url))
export const LOGO_URL = '/icon-192.png'
