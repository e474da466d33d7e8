import type { ReactNode } from 'react'

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="eyebrow mb-2">{title}</h2>
      {children}
    </section>
  )
}
