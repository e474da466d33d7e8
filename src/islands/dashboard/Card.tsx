import type { ReactNode } from 'react'

export function Card({ title, className = '', children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <section className={`card p-5 ${className}`}>
      <h2 className="eyebrow mb-2">{title}</h2>
      {children}
    </section>
  )
}
