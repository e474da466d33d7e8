import type { ComponentProps, ReactNode, Ref } from 'react'

type Props = Omit<ComponentProps<'section'>, 'id' | 'title'> & {
  title: ReactNode
  /** The heading's id. With it, the card is a landmark region named by its heading. */
  id?: string
  /** A small heading, for a card whose figure is the main thing. */
  small?: boolean
  /** For moving the focus to the heading. */
  titleRef?: Ref<HTMLHeadingElement>
}

/** A group of content under a heading. */
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
