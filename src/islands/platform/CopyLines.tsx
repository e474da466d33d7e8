import type { ReactNode } from 'react'
import { CopyText } from './CopyText.tsx'

export type CopyLine = { label: string; shown: ReactNode; copied: string }

/** Names with their values, each with a button that copies it. */
export function CopyLines({ lines }: { lines: CopyLine[] }) {
  return (
    <dl className="divide-y divide-line">
      {lines.map(({ label, shown, copied }) => (
        <div key={label} className="relative min-h-15 py-2 pr-12">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-medium">
            {shown}
            <span className="absolute inset-y-0 right-0 flex items-center">
              <CopyText text={copied} label={label} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
