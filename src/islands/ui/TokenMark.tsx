type Props = {
  code: string
  /** The mark is not in the page's HTML (`Marks.astro`): it comes from the file with all marks, which the browser caches. */
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
