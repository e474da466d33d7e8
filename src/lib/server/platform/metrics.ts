/** What this process counts, for Prometheus (OpenMetrics). No label names a customer: routes are patterns, and codes are ours. */
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Connection } from './db/client.ts'

/** Seconds: from a page out of memory to a call that gives up. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** A figure read from the database, with one label. */
export type Figure = { name: string; label: string; value: number }
/** How a figure is called: what it says, and the name of its label. */
export type Described = Record<string, { help: string; label: string }>

export type Metrics = {
  answered: (request: { method: string; route: string; status: number; seconds: number }) => void
  /** A browser has reported that a page broke its Content-Security-Policy. */
  policyBroken: () => void
  /** The text of all figures. */
  text: () => Promise<string>
  contentType: string
}

/** `figures`: read at each look; undefined for processes that have none. */
export function createMetrics(
  { load, standby }: Pick<Connection, 'load' | 'standby'>,
  figures?: { described: Described; read: () => Promise<Figure[]> }
): Metrics {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [registry] as never
  collectDefaultMetrics({ register: registry as never })
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time until a request was answered',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: BUCKETS,
    registers
  })
  const reports = new Counter({
    name: 'csp_reports_total',
    help: 'Reports of browsers about the Content-Security-Policy',
    registers
  })
  const pool = new Gauge({
    name: 'db_client_connections',
    help: 'Connections of the pool, and calls that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(load())) pool.set({ state }, count)
    }
  })
  if (standby()) countStandby(standby, registers)
  const gauges = new Map(
    Object.entries(figures?.described ?? {}).map(([name, { help, label }]) => [
      name,
      new Gauge({ name, help, labelNames: [label], registers })
    ])
  )
  const read = new Gauge({ name: 'figures_read', help: '1 if the figures of the database could be read', registers })

  async function look(): Promise<void> {
    if (!figures) return
    try {
      const found = await figures.read()
      for (const gauge of gauges.values()) gauge.reset()
      for (const { name, label, value } of found) {
        const of = figures.described[name]
        if (of) gauges.get(name)?.set({ [of.label]: label }, value)
      }
      read.set(1)
    } catch {
      // The database does not answer: what was read before is old, and is not shown as if it were true now.
      for (const gauge of gauges.values()) gauge.reset()
      read.set(0)
    }
  }

  return {
    answered: ({ method, route, status, seconds }) =>
      requests.observe({ http_request_method: method, http_route: route, http_response_status_code: status }, seconds),
    policyBroken: () => reports.inc(),
    text: async () => {
      await look()
      return registry.metrics()
    },
    contentType: registry.contentType
  }
}

/** Of the standby that answers what may be a moment old. */
function countStandby(standby: Connection['standby'], registers: never): void {
  new Gauge({
    name: 'db_standby_usable',
    help: '1 if the standby may answer what may be a moment old',
    registers,
    collect() {
      this.set(Number(standby()?.isUsable ?? false))
    }
  })
  new Gauge({
    name: 'db_standby_age_seconds',
    help: 'How old the rows of the standby are; NaN if that is not known',
    registers,
    collect() {
      this.set(standby()?.ageSeconds ?? Number.NaN)
    }
  })
  let counted = 0
  new Counter({
    name: 'db_standby_reads_total',
    help: 'Statements that the standby has answered',
    registers,
    collect() {
      const now = standby()?.reads ?? 0
      this.inc(now - counted)
      counted = now
    }
  })
}

/** Serves `/metrics` alone, on a port of its own that only Prometheus reaches. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end()
    metrics.text().then(
      (text) => res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => res.writeHead(500).end()
    )
  })
}
