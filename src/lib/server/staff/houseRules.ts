/** The settings that staff change by two persons. */
import { eq } from 'drizzle-orm'
import { DESK_SETTINGS, type DeskSetting, SETTING_NAMES } from '#lib/domain/staff/settings.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { staffSettings } from './schema.ts'

/** Every setting as it is now. */
export async function deskSettings(db: Executor): Promise<Record<DeskSetting, bigint>> {
  const rows = await db.select().from(staffSettings)
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, found.get(name) ?? DESK_SETTINGS[name].fallback])) as Record<
    DeskSetting,
    bigint
  >
}

export async function changeSetting({ tx, now }: Work, name: DeskSetting, value: bigint, changedBy: string): Promise<void> {
  const row = { value, changedAt: now, changedBy }
  await tx
    .insert(staffSettings)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: staffSettings.name, set: row })
}

/** Locks a setting while it is decided about, and returns its value. */
export async function lockSetting({ tx }: Work, name: DeskSetting): Promise<bigint> {
  const [row] = await tx.select().from(staffSettings).where(eq(staffSettings.name, name)).for('update')
  return row?.value ?? DESK_SETTINGS[name].fallback
}
