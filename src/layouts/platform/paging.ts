/** Reads page and size from a list's URL; a missing or invalid page is the first, an invalid size the default. */
export function readPaging(search: URLSearchParams, sizes: number[]): { page: number; size: number } {
  const [asked, askedSize] = [Number(search.get('page')), Number(search.get('size'))]
  return {
    page: Number.isInteger(asked) && asked >= 1 && asked <= 10_000 ? asked : 1,
    size: sizes.find((size) => size === askedSize) ?? sizes[0] ?? 10
  }
}

/** Returns the last page if the requested one lies beyond it. */
export function pageBeyond(page: number, size: number, total: number): number | undefined {
  const last = Math.max(1, Math.ceil(total / size))
  return page > last ? last : undefined
}
