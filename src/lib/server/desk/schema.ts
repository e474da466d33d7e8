/** The desk's daily reports, kept as they were made. */
import { customType, date, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { ReportSection } from '#lib/domain/staff/report.ts'
import { moment } from '../platform/db/columns.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

export const dailyReports = pgTable('daily_reports', {
  /** The day that it is about. */
  day: date('day', { mode: 'string' }).primaryKey(),
  madeAt: moment('made_at').notNull(),
  sections: jsonb('sections').$type<ReportSection[]>().notNull(),
  pdf: bytes('pdf').notNull(),
  csv: text('csv').notNull()
})
