import { describe, expect, it } from 'vitest'
import { byCursor, byPage, lineFile, readLines } from '#layouts/platform/lineFile.ts'

type Line = { id: string }

/** A list of a customer, newest first, to which something new is added after each page that is read. */
function growingList(count: number) {
  const list: Line[] = Array.from({ length: count }, (_, index) => ({ id: `old-${index}` }))
  return async ({ page, size }: { page: number; size: number }): Promise<Line[]> => {
    const read = list.slice((page - 1) * size, page * size)
    list.unshift({ id: `new-${page}` })
    return read
  }
}

describe('a file of lines', () => {
  it('has each line once, also when something is added to the list while it is read', async () => {
    const { lines, isWhole } = await readLines(byPage(growingList(1300)))
    expect(isWhole).toBe(true)
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 1300 }, (_, index) => `old-${index}`))
  })

  it('goes on where the part before ended', async () => {
    const parts: Record<string, { lines: Line[]; next: string | null }> = {
      '': { lines: [{ id: 'c' }, { id: 'b' }], next: 'b' },
      b: { lines: [{ id: 'a' }], next: null }
    }
    const read = async ({ before = '' }: { before?: string }) => parts[before] ?? { lines: [], next: null }
    expect(await readLines(byCursor(read))).toEqual({ lines: [{ id: 'c' }, { id: 'b' }, { id: 'a' }], isWhole: true })
  })

  it('has the newest 50,000 lines of a longer list, and asks for no more than it needs', async () => {
    let asked = 0
    async function* parts(count: number): AsyncGenerator<Line[]> {
      for (let start = 0; start < count; start += 10_000) {
        asked += 1
        yield Array.from({ length: Math.min(10_000, count - start) }, (_, index) => ({ id: String(start + index) }))
      }
    }
    const whole = await readLines(parts(50_000))
    expect([whole.lines.length, whole.isWhole]).toEqual([50_000, true])
    asked = 0
    const longer = await readLines(parts(90_000))
    expect([longer.lines.length, longer.lines.at(-1)?.id, longer.isWhole]).toEqual([50_000, '49999', false])
    expect(asked).toBe(6)
  })

  it('says in its last row and in its name that older lines are missing', async () => {
    const rows = [['Date'], ['2026-11-28']]
    const whole = lineFile('trades', rows)
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="trades.csv"')
    expect(await whole.text()).toBe('Date\r\n2026-11-28\r\n')
    const cut = lineFile('trades', rows, false)
    expect(cut.headers.get('content-disposition')).toBe('attachment; filename="trades-newest-50000.csv"')
    expect((await cut.text()).split('\r\n')).toEqual([
      'Date',
      '2026-11-28',
      '"Older lines are not in this file: it was made from the newest 50,000. The statements of past quarters, under Documents in your profile, have every movement."',
      ''
    ])
  })
})
