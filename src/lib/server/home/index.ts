/** The mail about the week. */
export { weeklyJob } from './weekly.ts'
