type Part = { label: string; value: string; share: number; fill: string }

/** The parts of a sum: a bar, and each part with its name and figure. `share` is in percent of the whole. */
export function Split({ parts }: { parts: Part[] }) {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { share }) => sum + share, 0))
  return (
    <>
      <svg className="split block h-2 w-full rounded-full bg-hero-line" aria-hidden="true">
        {parts.map(({ label, share, fill }, index) => (
          <rect key={label} x={`${starts[index]}%`} width={`${share}%`} height="100%" className={fill} />
        ))}
      </svg>
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-3">
        {parts.map(({ label, value, fill }) => (
          <div key={label}>
            <dt className="flex items-center gap-2 text-sm text-hero-muted">
              <svg viewBox="0 0 8 8" className="split size-2" aria-hidden="true">
                <circle cx="4" cy="4" r="4" className={fill} />
              </svg>
              {label}
            </dt>
            <dd className="figure eye font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
