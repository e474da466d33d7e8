/** Runs the built server as a separate process, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ENVIRONMENT } from './nodeEnvironment.ts'

/** How long a start may take. On a busy machine it can take over 30 seconds. A server that fails to start exits, and the test then fails without waiting. */
const START_WITHIN_MS = 50_000
const project = fileURLToPath(new URL('../../', import.meta.url))

export type ServerProcess = {
  url: string
  /** Of the operators' desk; undefined where this process serves none. */
  deskUrl: string | undefined
  pid: number
  /** Sends SIGTERM and waits for the exit; returns the exit code. */
  stop: () => Promise<number | null>
  /** Its log: complete with `keepLog`, otherwise only up to `listening`. */
  log: () => string
  /** kill -9. */
  kill: () => Promise<void>
}

export class ServerRefusedError extends Error {
  override name = 'ServerRefusedError'
  readonly exitCode: number | null
  constructor(exitCode: number | null, said: string) {
    super(said)
    this.exitCode = exitCode
  }
}

function exited(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', resolve)
  })
}

/** What starts a built product: the arguments of `npm run serve`. An old release has another file for it. */
function startOf(root: string): string[] {
  if (!existsSync(join(root, 'run.mjs'))) return ['src/start.ts']
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { serve: string } }
  return scripts.serve.split(' ').slice(1)
}

type Start = {
  keepLog?: boolean
  /** The folder of the built product. */
  root?: string
  /** Gets what the server has said so far, until it listens. */
  onSaid?: (said: string) => void
}

/** Starts the server with only this environment; throws ServerRefusedError with its output if it exits instead. */
export async function startServer(
  env: Record<string, string>,
  { keepLog = false, root = project, onSaid = () => undefined }: Start = {}
): Promise<ServerProcess> {
  const child = spawn(process.execPath, startOf(root), {
    cwd: root,
    env: { ...NODE_ENVIRONMENT, PORT: '0', DESK_PORT: '0', LIMIT_SCALE: '1000', ...env }
  })
  let said = ''
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server did not start:\n${said}`)), START_WITHIN_MS)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      onSaid(said)
      const found = /"port":(\d+).*"msg":"listening"/.exec(said)?.[1]
      if (!found) return
      clearTimeout(timer)
      // Drain the streams even if no test reads the log, or the process would block on a full pipe.
      const keep = (chunk: Buffer) => {
        said += chunk.toString()
      }
      for (const stream of [child.stdout, child.stderr]) {
        stream.off('data', listen).resume()
        if (keepLog) stream.on('data', keep)
      }
      resolve(Number(found))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new ServerRefusedError(code, said))
    })
  })
  const deskPort = /"desk":(\d+)/.exec(said)?.[1]
  return {
    url: `http://127.0.0.1:${port}`,
    deskUrl: deskPort && `http://desk.localhost:${deskPort}`,
    pid: child.pid ?? 0,
    log: () => said,
    stop: async () => {
      child.kill('SIGTERM')
      return exited(child)
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited(child)
    }
  }
}
