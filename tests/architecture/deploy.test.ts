/** What stands in deploy/ leads to what is there. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FIGURES } from '#lib/server/app/figures.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const rules = read('deploy/prometheus/rules.yml')
const board = JSON.parse(read('deploy/grafana/wallet.json')) as { panels: { title: string; targets?: { expr: string }[] }[] }
/** Figures of the process itself, and Prometheus' own. */
const OTHERS = [
  'up',
  'figures_read',
  'db_client_connections',
  'db_standby_usable',
  'csp_reports_total',
  'http_server_request_duration_seconds'
]

/** Of Node.js, by prom-client. */
const OF_NODE = ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']
const FUNCTIONS = ['histogram_quantile', 'increase']
/** What is asked for, without labels, functions, and what is summed by. */
const askedIn = (expr: string) =>
  [...expr.replace(/\{[^}]*\}|by \([^)]*\)/g, '').matchAll(/[a-z]\w{4,}|\bup\b/g)]
    .map(([name]) => name.replace(/_(bucket|count)$/, ''))
    .filter((name) => !FUNCTIONS.includes(name))

it('each alarm, and each panel of the board, asks for figures that exist', () => {
  const counter = read('src/lib/server/platform/metrics.ts')
  for (const name of OTHERS.slice(1)) expect(counter).toContain(`'${name}'`)
  const known = [...Object.keys(FIGURES), ...OTHERS, ...OF_NODE]
  const alarms = [...rules.matchAll(/expr: (.*)/g)].map(([, expr = '']) => expr)
  const panels = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(panels.length).toBeGreaterThan(30)
  expect([...alarms, ...panels].flatMap(askedIn).filter((name) => !known.includes(name))).toEqual([])
})

it('the board shows every figure of the product', () => {
  const shown = board.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => askedIn(expr)))
  expect(Object.keys(FIGURES).filter((name) => !shown.includes(name))).toEqual([])
})

it('the compose file has each role with a user and secrets of its own', () => {
  const compose = read('deploy/compose/compose.yml')
  const users = [...compose.matchAll(/user: '(\d+)'/g)].map(([, user]) => user)
  expect(new Set(users).size).toBe(users.length)
  for (const role of ['web', 'worker', 'signer', 'desk']) {
    expect(compose).toMatch(new RegExp(`ROLE: ${role}\\b`))
    expect(compose).toContain(`/run/secrets/${role}_database`)
  }
  // The seed is the signer's alone.
  expect(compose.match(/secrets: \[.*signer_seed.*\]/g)).toEqual(['secrets: [signer_database, signer_seed]'])
  expect(compose).not.toMatch(/postgres:\/\/|password:/i)
})

it('each alarm leads to a place of docs/operations.md', () => {
  const anchors = new Set(
    [...read('docs/operations.md').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-')
    )
  )
  const places = [...rules.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(([, place]) => place)
  expect(places.length).toBe([...rules.matchAll(/- alert:/g)].length)
  expect(places.filter((place) => !anchors.has(place ?? ''))).toEqual([])
})

it('each role has a unit with a user of its own and its settings in a file', () => {
  const units = globSync('deploy/systemd/*.service').sort()
  expect(units.map((file) => /wallet-(\w+)\.service/.exec(file)?.[1])).toEqual(['desk', 'signer', 'web', 'worker'])
  for (const file of units) {
    const role = /wallet-(\w+)\.service/.exec(file)?.[1]
    const unit = read(file)
    for (const line of [
      `User=wallet-${role}`,
      `ROLE=${role}`,
      `EnvironmentFile=/etc/wallet/${role}.env`,
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'LimitCORE=0'
    ])
      expect(unit, file).toContain(line)
  }
})

it('every unit and the image start the process as `npm run serve` does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { serve: string } }
  const [node, ...args] = scripts.serve.split(' ')
  expect(args.at(-2)).toBe('run.mjs')
  for (const file of globSync('deploy/systemd/*.service'))
    expect(read(file), file).toContain(`\nExecStart=/opt/wallet/current/node_modules/.bin/${scripts.serve}\n`)
  const command = /^CMD (\[.+\])$/m.exec(read('deploy/compose/Dockerfile'))?.[1] ?? '[]'
  expect(JSON.parse(command)).toEqual([node, ...args])
})
