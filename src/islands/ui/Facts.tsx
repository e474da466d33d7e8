import type { ReactNode } from 'react'

export type Fact = { label: string; value: ReactNode; hint?: ReactNode; strong?: boolean }

/** Names and values in two columns. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(({ label, value, hint, strong }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name
        <div key={`${label} ${index}`} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
          <dt className="text-muted">{label}</dt>
          <dd className={`ml-auto min-w-0 text-right ${strong ? 'text-lg font-semibold' : 'font-medium'}`}>
            {value}
            {hint && <div className="text-sm font-normal text-muted">{hint}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
