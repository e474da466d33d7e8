import { documentToReactComponents, type Options } from '@contentful/rich-text-react-renderer'
import type { Document } from '@contentful/rich-text-types'
import { createElement, type ReactNode } from 'react'
import { assetIdOf, type RichText as Text } from '#lib/domain/news/richText.ts'
import { type NewsImage, Picture } from './Picture.tsx'

type Props = { text: Text; images: Record<string, NewsImage> }

const SIZES = '(min-width: 48rem) 44rem, 100vw'

/**
 * The text of an entry, rendered only on the server: none of this code reaches the browser. The page's title is its only heading of
 * the first level, so headings in the text are one level lower.
 */
export function RichText({ text, images }: Props) {
  let last = 1
  // Never skip a level: a screen reader's list of headings would have a gap.
  const heading = (level: number) => (_: unknown, children: ReactNode) => {
    last = Math.min(level + 1, last + 1)
    return createElement(`h${last}`, undefined, children)
  }
  const options: Options = {
    renderNode: {
      'heading-1': heading(1),
      'heading-2': heading(2),
      'heading-3': heading(3),
      hyperlink: ({ data }, children) => <Link href={String(data.uri)}>{children}</Link>,
      'embedded-asset-block': ({ data }) => {
        const image = images[assetIdOf(data) ?? '']
        return image ? (
          <figure>
            <Picture image={image} sizes={SIZES} />
          </figure>
        ) : null
      }
    },
    renderText: (words) => words.split('\n').flatMap((line, index) => (index === 0 ? [line] : [<br key={line} />, line]))
  }
  return documentToReactComponents(documentOf(text), options)
}

/** Only a cast: `cleanRichText` leaves only nodes of Contentful's format, which our own type describes too. */
function documentOf(text: Text): Document {
  return text as unknown as Document
}

/** Other sites open in a new tab and get no referrer. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith('mailto:')) return <a href={href}>{children}</a>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
