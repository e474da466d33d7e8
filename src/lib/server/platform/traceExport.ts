/** Sends spans to a collector of OpenTelemetry (OTLP over HTTP). Loaded only where it is set: the packages take memory and time to start. */
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from './log.ts'
import { turnOn } from './tracing.ts'

export type TraceConfig = {
  /** The collector's address, without `/v1/traces`. */
  endpoint: string
  /** Headers of each request to it, e.g. its key. */
  headers: Record<string, string>
  /** The share of requests and jobs that are traced, 0 to 1. */
  share: number
}
export type Traces = {
  /** From now on, faults of the collector are lines of `log`: at most one a minute. */
  tell: (log: Log) => void
  /** Sends what is left, for a second at most: a collector that does not answer is asked again for ten. */
  stop: () => Promise<void>
}

const SILENT_MS = 60_000
const STOP_WITHIN_MS = 1000

/** `service`: who made the spans, e.g. `wallet-web`. A collector that does not answer holds up nobody: spans are dropped. */
export function startTraces({ endpoint, headers, share }: TraceConfig, service: string): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'cp-wallet', 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })]
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  turnOn()
  return {
    tell: (log) => {
      let silentUntil = 0
      const warn = (message: string) => {
        if (Date.now() < silentUntil) return
        silentUntil = Date.now() + SILENT_MS
        log.warn({ reason: message.slice(0, 300) }, 'traces are not taken')
      }
      const ignore = () => undefined
      diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
    },
    stop: async () => {
      const late = new Promise<void>((resume) => setTimeout(resume, STOP_WITHIN_MS).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    }
  }
}
