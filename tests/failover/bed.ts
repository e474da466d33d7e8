/**
 * Three machines on one: each is a network namespace with etcd, Patroni and PostgreSQL, on a disk of its own that can be full. In front of them
 * HAProxy, as in production. Needs root, and Debian's packages.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRelay } from './relay.ts'

const NODES = ['n1', 'n2', 'n3'] as const
export type Node = (typeof NODES)[number]
/** Data and the cluster's agreement have networks of their own, so that each can be cut alone. */
type Network = 'data' | 'etcd'
type Member = { name: Node; role: string; state: string; timeline?: number }

const NETS: Record<Network, string> = { data: '10.77.0', etcd: '10.78.0' }
const HOST = `${NETS.data}.1`
const ENTRY_PORT = 5000
const STANDBY_PORT = 5001
const BIN = '/usr/lib/postgresql/15/bin'
const NEEDED = [`${BIN}/postgres`, '/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/ip']
const DISK_MB = 900
const HELP_AFTER_MS = 60_000
/** Seconds: who leads is settled anew when the leader has been silent for `ttl`. */
const TIMES = { ttl: 15, loop_wait: 5, retry_timeout: 5 }

const numberOf = (node: Node) => Number(node.slice(1))
const addressOf = (node: Node, net: Network = 'data') => `${NETS[net]}.${10 + numberOf(node)}`
const spaceOf = (node: Node) => `wallet-${node}`
const cableOf = (node: Node, net: Network) => `w${net}${numberOf(node)}`
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
const quietly = (command: string, ...args: string[]) => {
  try {
    return run(command, ...args)
  } catch {
    return ''
  }
}
export const wait = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))

/** Why the bed cannot be set up here, in one sentence; undefined if it can. */
export function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'The failover test needs root: it makes network namespaces.'
  const missing = NEEDED.filter((file) => !existsSync(file))
  if (missing.length === 0) return undefined
  return `The failover test needs ${missing.join(', ')}: apt-get install --no-install-recommends postgresql-15 patroni etcd-server haproxy iproute2 python3-etcd`
}

export type Bed = Awaited<ReturnType<typeof startBed>>

/** Sets up everything below `folder`, and waits until the cluster has a primary, a synchronous standby and another one. */
export async function startBed(folder: string) {
  tearDown(folder)
  mkdirSync(folder, { recursive: true })
  const children = new Map<string, ChildProcess>()
  const remade: Node[] = []
  let isSynchronous = true
  for (const net of ['data', 'etcd'] as const) {
    run('ip', 'link', 'add', `wallet-${net}`, 'type', 'bridge')
    run('ip', 'addr', 'add', `${NETS[net]}.1/24`, 'dev', `wallet-${net}`)
    run('ip', 'link', 'set', `wallet-${net}`, 'up')
  }
  // Standbys follow the primary through a relay, which can be slow or lose packets: this kernel has no netem.
  const relays = new Map<Node, Awaited<ReturnType<typeof startRelay>>>()
  for (const node of NODES) {
    makeNode(folder, node)
    relays.set(node, await startRelay({ host: addressOf(node), port: 5432 }, { host: HOST, port: relayPort(node) }))
  }

  function child(name: string, command: string, args: string[]): void {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const started = spawn(command, args, { stdio: ['ignore', log, log], detached: true })
    started.on('error', () => undefined)
    children.set(name, started)
  }

  function startNode(node: Node): void {
    const inside = ['netns', 'exec', spaceOf(node), 'setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
    const home = join(folder, node)
    const cluster = NODES.map((one) => `${one}=http://${addressOf(one, 'etcd')}:2380`).join()
    const at = `http://${addressOf(node, 'etcd')}`
    child(`${node}-etcd`, 'ip', [
      ...inside,
      'etcd',
      ...['--name', node, '--data-dir', join(home, 'etcd'), '--initial-cluster', cluster, '--initial-cluster-state', 'new'],
      ...['--listen-peer-urls', `${at}:2380`, '--initial-advertise-peer-urls', `${at}:2380`],
      ...['--listen-client-urls', `${at}:2379`, '--advertise-client-urls', `${at}:2379`],
      // Two cores carry three of them and all the rest: more patient than the default of a second.
      ...['--heartbeat-interval', '250', '--election-timeout', '2500', '--log-level', 'error', '--enable-v2']
    ])
    child(`${node}-patroni`, 'ip', [...inside, 'patroni', join(folder, `${node}.json`)])
  }

  const pidsOf = (node: Node) => quietly('ip', 'netns', 'pids', spaceOf(node)).split('\n').filter(Boolean).map(Number)
  const commandOf = (pid: number) => quietly('ps', '-o', 'args=', '-p', String(pid))
  function signal(pids: number[], name: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // It has ended.
      }
    }
  }

  async function members(): Promise<Member[]> {
    const answers = await Promise.all(
      NODES.map((node) =>
        fetch(`http://${addressOf(node)}:8008/cluster`, { signal: AbortSignal.timeout(1500) })
          .then((answer) => answer.json() as Promise<{ members: Member[] }>)
          .catch(() => undefined)
      )
    )
    return answers.find((answer) => answer?.members.some(({ role }) => role === 'leader'))?.members ?? []
  }
  const namedBy = async (isIt: (member: Member) => boolean) => (await members()).find(isIt)?.name
  /** Whether a node takes writes by its own word. */
  const isPrimary = (node: Node) =>
    fetch(`http://${addressOf(node)}:8008/primary`, { method: 'OPTIONS', signal: AbortSignal.timeout(1500) })
      .then(({ ok }) => ok)
      .catch(() => false)

  async function isWhole(): Promise<boolean> {
    const all = await members()
    const roles = all.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role)
    const timelines = new Set(all.map(({ timeline }) => timeline))
    return (
      roles.length === NODES.length &&
      roles.includes('leader') &&
      roles.includes('sync_standby') === isSynchronous &&
      timelines.size === 1
    )
  }
  async function untilWhole(withinMs = 180_000): Promise<void> {
    const [began, giveUpAt] = [Date.now(), Date.now() + withinMs]
    let isHelped = false
    while (!(await isWhole())) {
      // As an operator would: a node that does not find its way back is made anew from the primary (patronictl reinit).
      if (!isHelped && Date.now() - began > HELP_AFTER_MS) {
        isHelped = true
        await remake()
      }
      if (Date.now() > giveUpAt) throw new Error(`The cluster is not whole: ${JSON.stringify(await members())}`)
      await wait(500)
    }
  }

  /** Copies the primary anew to the nodes that are not on its timeline. */
  async function remake(): Promise<void> {
    const all = await members()
    const leader = all.find(({ role }) => role === 'leader')
    for (const { name } of all.filter(({ timeline, role }) => role !== 'leader' && timeline !== leader?.timeline)) {
      remade.push(name)
      await fetch(`http://${addressOf(name)}:8008/reinitialize`, { method: 'POST', body: '{"force": true}' }).catch(
        () => undefined
      )
    }
  }

  function startProxy(): void {
    child('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  }

  writeFileSync(join(folder, 'haproxy.cfg'), proxyConfig())
  for (const node of NODES) startNode(node)
  startProxy()
  await untilWhole()

  const cut = (node: Node, net: Network) => run('ip', 'link', 'set', cableOf(node, net), 'down')
  const join_ = (node: Node, net: Network) => run('ip', 'link', 'set', cableOf(node, net), 'up')
  const filler = (node: Node) => join(folder, node, 'filler')
  return {
    /** The product's way to the database. */
    entry: { host: HOST, port: ENTRY_PORT },
    /** And to one of its standbys. */
    standbyEntry: { host: HOST, port: STANDBY_PORT },
    addressOf,
    members,
    /** How often the primary has moved so far, whatever the reason, as Patroni has written down; undefined if no node says it. */
    moves: async (): Promise<number | undefined> => {
      for (const node of NODES) {
        const moves = await fetch(`http://${addressOf(node)}:8008/history`, { signal: AbortSignal.timeout(1500) })
          .then((answer) => answer.json() as Promise<unknown[]>)
          .catch(() => undefined)
        if (moves) return moves.length
      }
      return undefined
    },
    /** Nodes that had to be copied anew, since the last call. */
    takeRemade: () => remade.splice(0),
    untilWhole,
    isPrimary,
    primary: () => namedBy(({ role }) => role === 'leader'),
    syncStandby: () => namedBy(({ role }) => role === 'sync_standby'),
    otherStandby: () => namedBy(({ role }) => role === 'replica'),
    /** All that runs on the machine ends at once, as when its power goes; its disk stays. */
    killNode: (node: Node) => signal(pidsOf(node), 'SIGKILL'),
    startNode,
    stopNode: (node: Node) => signal(pidsOf(node), 'SIGSTOP'),
    continueNode: (node: Node) => signal(pidsOf(node), 'SIGCONT'),
    /** Patroni alone; its PostgreSQL goes on. */
    signalPatroni: (node: Node, name: 'SIGSTOP' | 'SIGCONT') =>
      signal(
        pidsOf(node).filter((pid) => /patroni/.test(commandOf(pid)) && !/postgres:/.test(commandOf(pid))),
        name
      ),
    cut,
    join: join_,
    /** The way between a primary and its standbys, who come to it. */
    slow: (node: Node, delayMs: number, lossPercent = 0) => {
      for (const other of NODES) if (other !== node) relays.get(node)?.impair(addressOf(other), { delayMs, lossPercent })
    },
    quick: () => {
      for (const relay of relays.values()) relay.mend()
    },
    fillDisk: (node: Node) => {
      // The database goes on writing meanwhile: what was free a moment ago may be too much.
      for (let tries = 1; ; tries += 1)
        try {
          writeFileSync(filler(node), '')
          const { bavail, bsize } = statfsSync(join(folder, node))
          execFileSync('fallocate', ['-l', String(Math.max(1, bavail * bsize - 4096 * tries)), filler(node)], { stdio: 'ignore' })
          return
        } catch (error) {
          if (tries === 20) throw error
        }
    },
    freeDisk: (node: Node) => {
      truncateSync(filler(node), 0)
      rmSync(filler(node), { force: true })
    },
    switchover: async (from: Node, to: Node) => {
      const answer = await fetch(`http://${addressOf(from)}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from, candidate: to })
      })
      if (!answer.ok) throw new Error(`The switchover was refused: ${await answer.text()}`)
    },
    /** `synchronous`: a commit is on a second machine before it is acknowledged. */
    setSynchronous: async (synchronous: boolean) => {
      const [one] = await members()
      const answer = await fetch(`http://${addressOf(one?.name ?? 'n1')}:8008/config`, {
        method: 'PATCH',
        body: JSON.stringify({ synchronous_mode: synchronous, synchronous_mode_strict: synchronous })
      })
      if (!answer.ok) throw new Error(`The settings were refused: ${await answer.text()}`)
      isSynchronous = synchronous
    },
    killProxy: () => {
      children.get('haproxy')?.kill('SIGKILL')
      startProxy()
    },
    stop: async () => {
      for (const node of NODES) signal(pidsOf(node), 'SIGKILL')
      children.get('haproxy')?.kill('SIGKILL')
      for (const relay of relays.values()) await relay.close()
      await wait(500)
      tearDown(folder)
    }
  }
}

const relayPort = (node: Node) => 5430 + numberOf(node)

function makeNode(folder: string, node: Node): void {
  const [space, home] = [spaceOf(node), join(folder, node)]
  run('ip', 'netns', 'add', space)
  run('ip', '-n', space, 'link', 'set', 'lo', 'up')
  for (const net of ['data', 'etcd'] as const) {
    const cable = cableOf(node, net)
    run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', net, 'netns', space)
    run('ip', 'link', 'set', cable, 'master', `wallet-${net}`, 'up')
    run('ip', '-n', space, 'addr', 'add', `${addressOf(node, net)}/24`, 'dev', net)
    run('ip', '-n', space, 'link', 'set', net, 'up')
  }
  mkdirSync(home)
  run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0755,uid=postgres,gid=postgres`, 'tmpfs', home)
  writeFileSync(join(folder, `${node}.json`), JSON.stringify(patroniConfig(home, node), null, 2))
}

/** JSON is YAML too. */
function patroniConfig(home: string, node: Node) {
  const user = (username: string) => ({ username, password: username })
  return {
    scope: 'wallet',
    name: node,
    restapi: { listen: `${addressOf(node)}:8008`, connect_address: `${addressOf(node)}:8008` },
    // Version 2 of the API: its leader renews the key only while it is its own. Patroni 3.0.2 with version 3 overwrites another leader's key when it
    // goes on after a pause, and etcd 3.4.23 then lets an old leader end a new one's lease: acknowledged bookings were lost here with both.
    etcd: { hosts: NODES.map((one) => `${addressOf(one, 'etcd')}:2379`).join() },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 150,
            shared_buffers: '96MB',
            wal_log_hints: 'on',
            wal_keep_size: '96MB',
            max_wal_size: '192MB',
            wal_sender_timeout: '10s',
            wal_receiver_timeout: '10s',
            // Not to be raised: a commit that waits for its standby would end when its client does, and be seen by everybody.
            client_connection_check_interval: 0
          }
        }
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums']
    },
    postgresql: {
      listen: `${addressOf(node)}:5432`,
      connect_address: `${HOST}:${relayPort(node)}`,
      data_dir: join(home, 'data'),
      bin_dir: BIN,
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: home },
      pg_hba: ['local all all trust', 'host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust']
    },
    watchdog: { mode: 'off' }
  }
}

/** A way to the servers that play this part by Patroni's word. */
function entryConfig(part: 'primary' | 'replica', port: number): string {
  return `listen ${part}
  bind ${HOST}:${port}
  option httpchk OPTIONS /${part}
  http-check expect status 200
  timeout check 2s
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map((node) => `  server ${node} ${addressOf(node)}:5432 check port 8008`).join('\n')}
`
}

function proxyConfig(): string {
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 60m
  timeout server 60m
${entryConfig('primary', ENTRY_PORT)}${entryConfig('replica', STANDBY_PORT)}`
}

/** Removes what this run, or one before it, has set up. */
function tearDown(folder: string): void {
  for (const node of NODES) {
    for (const pid of quietly('ip', 'netns', 'pids', spaceOf(node)).split('\n').filter(Boolean)) quietly('kill', '-9', pid)
    quietly('ip', 'netns', 'del', spaceOf(node))
  }
  for (const node of NODES) for (const net of ['data', 'etcd'] as const) quietly('ip', 'link', 'del', cableOf(node, net))
  quietly('pkill', '-9', '-f', `haproxy -db -f ${folder}`)
  for (const node of NODES) quietly('umount', '-l', join(folder, node))
  for (const net of Object.keys(NETS)) quietly('ip', 'link', 'del', `wallet-${net}`)
  rmSync(folder, { recursive: true, force: true })
}
