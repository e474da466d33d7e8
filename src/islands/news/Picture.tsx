import type { Answer } from '#lib/contract/types.ts'
import { IMAGE_FORMATS } from '#lib/domain/news/entry.ts'

export type NewsImage = Answer<'getNews'>['images'][string]
type Props = {
  image: NewsImage
  /** How wide it stands on the page, as the attribute `sizes` says it. */
  sizes: string
  /** Stands on the first screen: it is fetched at once. */
  isFirst?: boolean
  /** Its words; empty where a title beside it says enough. */
  alt?: string
}

/** A picture in the smallest format and size that the browser can use. */
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
