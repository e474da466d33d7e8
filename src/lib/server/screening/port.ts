/** Where names are looked up: a list that we keep, or a service. */
import type { Birth, BirthMatch } from '#lib/domain/screening/names.ts'

/** `score`: from 0 to 1. */
export type Listed = {
  source: string
  entryId: string
  listed: string
  about: string
  births: Birth[]
  score: number
  birth: BirthMatch
}

/** `isPerson`: companies of the list are left out. */
export type AskedName = { name: string; birthDate?: string | undefined; isPerson: boolean }

/** It cannot be read at the moment: nothing is known of any name. */
export class ScreeningError extends Error {
  override name = 'ScreeningError'
}

export type NameScreen = {
  /** Kept as the name of the list. */
  source: string
  /** Reads the list anew if it must, and says which one it is: its own date, and how many entries. Throws ScreeningError. */
  refresh: () => Promise<{ version: string; entries: number }>
  /** What is like this name. Throws ScreeningError. */
  search: (asked: AskedName) => Promise<Listed[]>
}
