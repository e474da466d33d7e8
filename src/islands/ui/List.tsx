/** The rows of a `list` table: on a phone CSS makes them cards, which would take their roles away were they not named. */
import type { ReactNode } from 'react'

type Props = { children: ReactNode }

export function Row({ children }: Props) {
  // biome-ignore lint/a11y/noRedundantRoles: see above
  return <tr role="row">{children}</tr>
}

export function RowHead({ children }: Props) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <th scope="row" role="rowheader">
      {children}
    </th>
  )
}

/** `label` is the column's name, for the card, where the style sheet does not know it; `className` is `num` for figures, `acts` for actions. */
export function Cell({ label, className, children }: Props & { label?: string; className?: 'num' | 'acts' }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <td role="cell" className={className} data-label={label}>
      {children}
    </td>
  )
}
