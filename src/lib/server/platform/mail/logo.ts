/** The logo is attached to every mail, so that a mail program shows it without a request to a server. */
import { filePath } from '../files.ts'

export const LOGO_ID = 'logo'
/** The same picture as the icon of the site. */
export const LOGO_PATH = filePath('public/icon-192.png')
export const LOGO_URL = '/icon-192.png'
