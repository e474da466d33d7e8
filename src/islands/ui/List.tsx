/** The rows of a `list` table, with explicit roles: on a phone CSS turns rows into cards, which removes the implicit roles. */
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

/** `label`: the column's name on a card, if CSS lacks it. `className`: `num` for figures, `acts` for actions, plus the screen's own. */
export function Cell({ label, className, children }: Props & { label?: string; className?: `${'num' | 'acts'}${string}` }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <td role="cell" className={className} data-label={label}>
      {children}
    </td>
  )
}
