/** Files of a customer's lines, newest first, for spreadsheets. */
import { csvFile } from '#lib/format/csv.ts'
import { language } from '#messages/language.ts'
import { filesTexts } from '#messages/platform/files.ts'

/** A process holds all of them, and what they were read from, until the file is written. */
const MOST_LINES = 50_000
/** The most that one call of a list of pages returns. */
const PAGE_SIZE = 600

/** `isWhole`: false if there are older lines. */
type Lines<Line> = { lines: Line[]; isWhole: boolean }

/**
 * Reads until the end of a list, at most its newest 50,000 lines. Each line counts once: when something new is added meanwhile, the last lines of a
 * page come again at the start of the next one.
 */
export async function readLines<Line extends { id: string }>(parts: AsyncIterable<Line[]>): Promise<Lines<Line>> {
  const lines = new Map<string, Line>()
  for await (const part of parts)
    for (const line of part) {
      if (lines.size === MOST_LINES && !lines.has(line.id)) return { lines: [...lines.values()], isWhole: false }
      lines.set(line.id, line)
    }
  return { lines: [...lines.values()], isWhole: true }
}

/** The pages of a list. */
export async function* byPage<Line>(read: (query: { page: number; size: number }) => Promise<Line[]>): AsyncGenerator<Line[]> {
  for (let page = 1; ; page += 1) {
    const lines = await read({ page, size: PAGE_SIZE })
    yield lines
    if (lines.length < PAGE_SIZE) return
  }
}

/** The parts of a list that says where its next part begins. */
export async function* byCursor<Line>(
  read: (cursor: { before?: string }) => Promise<{ lines: Line[]; next: string | null }>
): AsyncGenerator<Line[]> {
  for (let cursor: { before?: string } | undefined = {}; cursor; ) {
    const { lines, next }: { lines: Line[]; next: string | null } = await read(cursor)
    yield lines
    cursor = next === null ? undefined : { before: next }
  }
}

/** The answer with the file. If older lines are missing, its name and last row say so. */
export function lineFile(name: string, rows: string[][], isWhole = true): Response {
  const most = new Intl.NumberFormat(language).format(MOST_LINES)
  return new Response(csvFile(isWhole ? rows : [...rows, [filesTexts.newest(most)]]), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}${isWhole ? '' : `-newest-${MOST_LINES}`}.csv"`
    }
  })
}
