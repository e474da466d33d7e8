type Props = {
  code: string
  /** The drawing is not in the page (`Marks.astro`): it comes with the file of all drawings, which the browser keeps. */
  isLater?: boolean
}

/** The round mark of a token. */
export function TokenMark({ code, isLater = false }: Props) {
  return (
    <svg className="token-mark" aria-hidden="true">
      <use href={`${isLater ? '/marks.svg' : ''}#mark-${code}`} />
    </svg>
  )
}
