import type { Answer } from '#lib/contract/types.ts'
import { IMAGE_FORMATS } from '#lib/domain/news/entry.ts'

export type NewsImage = Answer<'getNews'>['images'][string]
type Props = {
  image: NewsImage
  /** Its width on the page, in the syntax of the attribute `sizes`. */
  sizes: string
  /** Visible without scrolling: loaded at once, with high priority. */
  isFirst?: boolean
  /** The alternative text; empty if a title next to the picture says enough. */
  alt?: string
}

/** A picture; the browser picks the best format it supports, and a size. */
export function Picture({ image, sizes, isFirst = false, alt = image.title }: Props) {
  const srcSet = (format: string) =>
    image.files
      .filter((file) => file.format === format)
      .map(({ url, width }) => `${url} ${width}w`)
      .join(', ')
  return (
    <picture>
      {IMAGE_FORMATS.map((format) => (
        <source key={format} type={`image/${format}`} srcSet={srcSet(format)} sizes={sizes} />
      ))}
      <img
        src={image.url}
        width={image.width}
        height={image.height}
        alt={alt}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  )
}
