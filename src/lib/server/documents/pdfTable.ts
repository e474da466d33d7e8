/** A table of a document. Rows are written as they come; each page has a table and a head of its own. */
import { COLOURS, MARGIN, type Sheet, SIZES } from './sheet.ts'

/** `share` of the width. A row's cells are texts in the order of the columns. */
export type Column = { label: string; share: number; align?: 'right' }
export type Rows = Iterable<string[]> | AsyncIterable<string[]>

const GAP = 8
export const ROW_PADDING = 4

/** Returns the number of rows. */
export async function writeTable(sheet: Sheet, caption: string, columns: Column[], rows: Rows): Promise<number> {
  const { doc } = sheet
  const cellsAt = placesOf(sheet, columns)
  // What is ended is written, and no longer kept in memory.
  let structure = startTable()

  function startTable() {
    const started = doc.struct('Table', { alt: caption } as never)
    doc.addStructure(started)
    return started
  }

  function row(cells: string[], isHead: boolean): void {
    const [font, colour] = isHead ? (['strong', COLOURS.muted] as const) : (['regular', COLOURS.ink] as const)
    const top = sheet.y + ROW_PADDING
    const element = doc.struct('TR')
    structure.add(element)
    cellsAt.forEach(({ left, width, align }, index) => {
      const options = isHead ? ({ scope: 'Column' } as object) : {}
      const draw = () => sheet.put(cells[index] ?? '', left, top, { size: SIZES.small, font, colour, width, align })
      element.add(doc.struct(isHead ? 'TH' : 'TD', options, draw))
    })
    element.end()
    sheet.y += heightOf(cells, isHead)
    sheet.rule()
  }

  function heightOf(cells: string[], isHead: boolean): number {
    const heights = cellsAt.map(({ width }, index) =>
      sheet.heightOf(cells[index] ?? '', width, SIZES.small, isHead ? 'strong' : 'regular')
    )
    return Math.max(...heights) + 2 * ROW_PADDING
  }

  const labels = columns.map(({ label }) => label)
  sheet.need(heightOf(labels, true) + 40)
  row(labels, true)
  let count = 0
  for await (const cells of rows) {
    if (sheet.y + heightOf(cells, false) > sheet.bottom) {
      structure.end()
      sheet.newPage()
      structure = startTable()
      row(labels, true)
    }
    row(cells, false)
    count += 1
  }
  structure.end()
  sheet.y += 8
  return count
}

function placesOf(sheet: Sheet, columns: Column[]) {
  // The first page gives the width.
  sheet.need(0)
  const room = sheet.width - GAP * (columns.length - 1)
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  let left = MARGIN
  return columns.map(({ share, align }) => {
    const place = { left, width: (room * share) / shares, align }
    left += place.width + GAP
    return place
  })
}
