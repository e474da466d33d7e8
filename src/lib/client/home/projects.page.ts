/** Shows the modal of a project in place. */
import { showServerDialog } from '../platform/serverDialog.ts'

showServerDialog({ link: 'a.tile', id: 'project', params: ['project'] })
