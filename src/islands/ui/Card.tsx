import type { ComponentProps, ReactNode, Ref } from 'react'

type Props = Omit<ComponentProps<'section'>, 'id' | 'title'> & {
  title: ReactNode
  /** The heading's id; with it the card is a region of the page with the heading as its name. */
  id?: string
  /** A small heading, for a card whose figure leads. */
  small?: boolean
  /** For a heading that receives the focus. */
  titleRef?: Ref<HTMLHeadingElement>
}

/** What belongs together, under a heading. */
export function Card({ title, id, small = false, titleRef, className = '', children, ...rest }: Props) {
  return (
    <section {...rest} className={`card roomy ${className}`} aria-labelledby={id}>
      <h2 id={id} ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={small ? 'eyebrow mb-2' : 'section-title mb-3'}>
        {title}
      </h2>
      {children}
    </section>
  )
}
