import type { ComponentProps, ReactNode, Ref } from 'react'

type Props = Omit<ComponentProps<'section'>, 'id' | 'title'> & {
  title: ReactNode
  /** The heading's id. With it, the card is a landmark region named by its heading. */
  id?: string
  /** A small heading, for a card whose figure is the main thing. */
  small?: boolean
  /** For moving the focus to the heading. */
  titleRef?: Ref<HTMLHeadingElement>
  /** A page with more of the same, beside the heading. */
  link?: { href: string; text: string } | undefined
}

/** A group of content under a heading. */
export function Card({ title, id, small = false, titleRef, link, className = '', children, ...rest }: Props) {
  const heading = (
    <h2
      id={id}
      ref={titleRef}
      tabIndex={titleRef ? -1 : undefined}
      className={small ? 'eyebrow mb-2' : `section-title ${link ? '' : 'mb-3'}`}
    >
      {title}
    </h2>
  )
  return (
    <section {...rest} className={`card roomy ${className}`} aria-labelledby={id}>
      {link ? (
        <div className="-mt-2 mb-1 flex flex-wrap items-center justify-between gap-x-4">
          {heading}
          <a href={link.href} className="link inline-flex min-h-11 items-center text-sm font-medium no-underline">
            {link.text}
          </a>
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  )
}
