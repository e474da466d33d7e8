type Props = { code: string }

/** The round sign of a token: its first letter, in the colour that the design gives it. */
export function TokenMark({ code }: Props) {
  return (
    <span data-token={code} className="token-mark" aria-hidden="true">
      {code.slice(0, 1)}
    </span>
  )
}
