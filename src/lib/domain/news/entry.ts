/** News entries: page size, and the sizes and formats of their pictures. Source: spec section 9. */

export const NEWS_PAGE_SIZE = 6
/** Characters of the short description that we cut from the text if the editor wrote none. */
export const SUMMARY_LENGTH = 180

/** The widths of a picture in pixels, and its formats, the better one first. A picture is never enlarged. */
const IMAGE_WIDTHS = [480, 960, 1600] as const
export const IMAGE_FORMATS = ['avif', 'webp'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

/** The widths in which we store a picture of this original width. */
export function widthsOf(width: number): number[] {
  const smaller = IMAGE_WIDTHS.filter((one) => one < width)
  return smaller.length < IMAGE_WIDTHS.length ? [...smaller, width] : smaller
}

/** The file name of a picture: `<hash>-<width>.<format>`. */
export function imageFile(hash: string, width: number, format: ImageFormat): string {
  return `${hash}-${width}.${format}`
}

export function parseImageFile(file: string): { hash: string; width: number; format: ImageFormat } | undefined {
  const [, hash, width, ending] = /^([\da-f]{32})-(\d{1,4})\.([a-z]+)$/.exec(file) ?? []
  const format = IMAGE_FORMATS.find((one) => one === ending)
  return hash && format ? { hash, width: Number(width), format } : undefined
}
