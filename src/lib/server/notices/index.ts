/** Notices: the bell, with what is new for the customer. */
export { noticeHandlers } from './handlers.ts'
export { recordNotice } from './record.ts'
export { againJob, askAgain, noticesTold } from './told.ts'
