/** Requests at a rate, whether or not the earlier ones are answered, and what of the processor each part used meanwhile. */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export type Ask = {
  name: string
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Called with the status, 0 without an answer, and the milliseconds since it was due. */
  answered?: (status: number, ms: number) => void
}
export type Step = {
  rate: number
  /** Answered within the step and the time after it; the others count as failed. */
  answered: number
  failed: Map<string, number>
  /** Milliseconds from the moment when a request was due, sorted: a client that has to wait is counted as waiting. */
  times: number[]
  /** Median and 99 of a hundred by kind. */
  byName: Map<string, number[]>
}

const PATIENCE_MS = 5000

export const quantile = (sorted: number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

function send(base: URL, agent: Agent, { method, path, headers, body }: Ask): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(
      {
        host: base.hostname,
        port: base.port,
        method,
        path,
        agent,
        timeout: PATIENCE_MS,
        headers: { ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
      },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
        answer.once('error', () => resolve(0))
      }
    )
    asked.once('timeout', () => asked.destroy())
    asked.once('error', () => resolve(0))
    asked.end(body)
  })
}

/** Asks at `rate` a second for `seconds`, with random pauses as of many independent customers, of the processes in turn. */
export async function atRate(urls: URL[], rate: number, seconds: number, next: () => Ask): Promise<Step> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
  const step: Step = { rate, answered: 0, failed: new Map(), times: [], byName: new Map() }
  const running: Promise<void>[] = []
  const began = performance.now()
  let due = began
  for (let count = 0; due < began + seconds * 1000; count += 1) {
    due += (-Math.log(1 - Math.random()) * 1000) / rate
    const at = due
    const rest = at - performance.now()
    if (rest > 1) await new Promise((resume) => setTimeout(resume, rest))
    const ask = next()
    const url = urls[count % urls.length] as URL
    running.push(
      send(url, agent, ask).then((status) => {
        const took = performance.now() - at
        ask.answered?.(status, took)
        if (status >= 200 && status < 400) {
          step.answered += 1
          step.times.push(took)
          const times = step.byName.get(ask.name)
          if (times) times.push(took)
          else step.byName.set(ask.name, [took])
        } else step.failed.set(`${ask.name} ${status}`, (step.failed.get(`${ask.name} ${status}`) ?? 0) + 1)
      })
    )
  }
  await Promise.all(running)
  agent.destroy()
  step.times.sort((one, other) => one - other)
  for (const times of step.byName.values()) times.sort((one, other) => one - other)
  return step
}

const TICK_MS = 10
const statOf = (pid: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // Its own, and that of children that have ended: a server of PostgreSQL ends with its connection.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    return { parent: fields[1] ?? '', ms: ticks * TICK_MS }
  } catch {
    return undefined
  }
}

/** Milliseconds of the processor that a process and its children have used. Linux alone. */
export function cpuOf(pid: number): number {
  const own = statOf(String(pid))
  if (!own) return 0
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === String(pid))
  return own.ms + children.reduce((sum, child) => sum + (statOf(child)?.ms ?? 0), 0)
}

/** The process that started this one. */
export const parentOf = (pid: number): number => Number(statOf(String(pid))?.parent ?? 0)
