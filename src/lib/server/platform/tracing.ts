/**
 * Spans of OpenTelemetry: a request or a job, the calls that a page makes, and every statement that no other request shares. They cost nothing
 * until `traceExport.ts` turns them on, by setting. A span holds no value of a statement, no customer, and of a path only its pattern.
 */
import { type Attributes, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { isStatement } from './db/frequent.ts'
import { AppError } from './errors.ts'

const NAME = 'cp-wallet'
/** A page's questions go as one statement, which may be long. */
const MOST_CHARACTERS = 4000

let isOn = false
const tracer = () => trace.getTracer(NAME)

/** Called once, before the first connection is opened: connections that are open already are not traced. */
export function turnOn(): void {
  isOn = true
}

/** Names the kind of error alone: messages may hold what a customer has typed. */
function fail(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', code ?? (error instanceof Error ? error.name : typeof error))
}

/** What `run` does belongs to this span, which fails with it unless it refuses. `root`: it begins a trace of its own. */
export function inSpan<T>(name: string, run: () => Promise<T>, { root = false } = {}): Promise<T> {
  return isOn ? inSpanOf(name, run, root) : run()
}

async function inSpanOf<T>(name: string, run: () => Promise<T>, root: boolean): Promise<T> {
  return tracer().startActiveSpan(name, { root }, async (span) => {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof AppError)) fail(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** `status`: undefined where the client has gone before an answer. */
type Answered = { route: string; status: number | undefined }
export type RequestSpan = {
  /** As in the header of the same name: for the line of the request. */
  traceparent: string
  within: <T>(run: () => T) => T
  end: (answered: Answered) => void
}

/**
 * A trace of its own for each request, whatever `traceparent` it brings: that is the client's to choose, and a trace must not be made longer by
 * strangers. Undefined where traces are off.
 */
export function requestSpan(method: string): RequestSpan | undefined {
  if (!isOn) return undefined
  const attributes = { 'http.request.method': method }
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, root: true, attributes })
  return {
    traceparent: traceparentOf(span),
    within: (run) => context.with(trace.setSpan(ROOT_CONTEXT, span), run),
    end: ({ route, status }) => {
      span.updateName(`${method} ${route}`)
      span.setAttributes({ 'http.route': route, ...(status !== undefined && { 'http.response.status_code': status }) })
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** For lines of the log: the trace that they belong to. */
export function traceOfLine(): { traceparent?: string } {
  const span = isOn ? trace.getActiveSpan() : undefined
  return span ? { traceparent: traceparentOf(span) } : {}
}

type AnsweredQuery = (error: unknown, result?: unknown) => void

/** Gives each statement of a connection a span, where it belongs to a request or a job. */
export function traceStatements(client: { query: unknown }): void {
  if (!isOn) return
  const query = (client.query as (...args: unknown[]) => unknown).bind(client)
  client.query = (config: unknown, values?: unknown, answered?: AnsweredQuery) => {
    const text = isStatement(config) ? config.text : config
    if (typeof text !== 'string' || !trace.getActiveSpan()?.isRecording()) return query(config, values, answered)
    const span = tracer().startSpan(summaryOf(text), { kind: SpanKind.CLIENT, attributes: attributesOf(text) })
    const end = (error?: unknown) => {
      if (error) fail(span, error)
      span.end()
    }
    if (answered) {
      return query(config, values, (error: unknown, result: unknown) => {
        end(error)
        answered(error, result)
      })
    }
    const answer = query(config, values) as Promise<unknown>
    answer.then(() => end(), end)
    return answer
  }
}

const attributesOf = (text: string): Attributes => ({
  'db.system.name': 'postgresql',
  'db.query.text': text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
})

/** A short name: the operation, and the first table or function that it names. */
function summaryOf(text: string): string {
  const [operation = 'statement'] = /[a-z]+/i.exec(text) ?? []
  const named = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text)?.[1] ?? /\bselect\s+"?([a-z_]+)"?\s*\(/i.exec(text)?.[1]
  return named ? `${operation.toLowerCase()} ${named}` : operation.toLowerCase()
}
