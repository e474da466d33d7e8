/** What stands in deploy/ leads to what is there. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FIGURES } from '#lib/server/app/figures.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const rules = read('deploy/prometheus/rules.yml')
/** Figures of the process itself, and Prometheus' own. */
const OTHERS = ['up', 'figures_read', 'db_client_connections', 'csp_reports_total', 'http_server_request_duration_seconds']

it('each alarm asks for figures that exist', () => {
  const counter = read('src/lib/server/platform/metrics.ts')
  for (const name of OTHERS.slice(1)) expect(counter).toContain(`'${name}'`)
  const known = [...Object.keys(FIGURES), ...OTHERS]
  const asked = [...rules.matchAll(/expr: (.*)/g)].flatMap(([, expr = '']) =>
    [...expr.replace(/\{[^}]*\}/g, '').matchAll(/[a-z_]{5,}|\bup\b/g)].map(([name]) => name)
  )
  const functions = ['histogram_quantile', 'increase']
  const unknown = asked.filter((name) => !functions.includes(name) && !known.includes(name.replace(/_(bucket|count)$/, '')))
  expect(unknown).toEqual([])
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
      'ProtectSystem=strict'
    ])
      expect(unit, file).toContain(line)
  }
})
