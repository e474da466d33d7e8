/** What changed for the customer since last time: the bell. */
export { noticeHandlers } from './handlers.ts'
export { recordNotice } from './record.ts'
