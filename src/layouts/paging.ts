/** What a list's address asks for; anything else than a page and a size that are there is the first page. */
export function readPaging(search: URLSearchParams, sizes: number[]): { page: number; size: number } {
  const [asked, askedSize] = [Number(search.get('page')), Number(search.get('size'))]
  return {
    page: Number.isInteger(asked) && asked >= 1 && asked <= 10_000 ? asked : 1,
    size: sizes.find((size) => size === askedSize) ?? sizes[0] ?? 10
  }
}

/** The last page that there is, where the one asked for lies beyond it. */
export function pageBeyond(page: number, size: number, total: number): number | undefined {
  const last = Math.max(1, Math.ceil(total / size))
  return page > last ? last : undefined
}
