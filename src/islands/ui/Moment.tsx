type Props = { at: string; shown: string; utc: string }

/** A moment in the customer's time zone, with UTC in the tooltip. */
export function Moment({ at, shown, utc }: Props) {
  return (
    <time dateTime={at} title={utc} className="figure">
      {shown}
    </time>
  )
}
