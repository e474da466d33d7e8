/** Notices: the bell, with what is new for the customer. */
export { noticeHandlers } from './handlers.ts'
export { recordNotice } from './record.ts'
