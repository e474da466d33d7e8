/** Shows the details of a stake in place. */
import { showServerDialog } from '../platform/serverDialog.ts'

showServerDialog({ link: 'a[data-stake]', id: 'stake', params: ['order'] })
