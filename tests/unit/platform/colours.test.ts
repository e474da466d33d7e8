/** The contrast of all pairs of colours that meet, light and dark, computed from the tokens (WCAG 2.2, 1.4.3, 1.4.6, 1.4.11). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('src/layouts/css/tokens.css', 'utf8')
const AA_TEXT = 4.5
const AAA_TEXT = 7
const CONTROL = 3

function colour(name: string, scheme: 'light' | 'dark'): string {
  const found = new RegExp(`--color-${name}: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}));`).exec(css)
  const value = found?.[scheme === 'light' ? 1 : 2] ?? found?.[3]
  if (!value) throw new Error(`tokens.css has no plain colour "${name}"`)
  return value
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Text colours with their backgrounds; these are used for figures. */
const FIGURES: [string, string[]][] = [
  ['ink', ['page', 'surface', 'raised', 'accent-tint']],
  ['muted', ['page', 'surface', 'raised']],
  ['accent', ['accent-tint']],
  ['on-hero', ['hero']],
  ['hero-muted', ['hero']]
]
const TEXTS: [string, string[]][] = [
  ['accent', ['page', 'surface', 'raised', 'accent-tint']],
  ['on-accent', ['accent', 'accent-strong']],
  ['muted', ['line', 'accent-tint']],
  ['green', ['surface', 'green-tint']],
  ['gold', ['surface', 'gold-tint']],
  ['blue', ['surface', 'blue-tint']],
  ['red', ['surface', 'red-tint']]
]
/** The focus ring: accent, and the panel's text colour on the green panel (`--ring`). */
const RING: [string, string[]][] = [
  ['accent', ['page', 'surface', 'raised', 'accent-tint', 'gold-tint', 'green-tint', 'blue-tint', 'red-tint']],
  ['on-hero', ['hero', 'hero-line']]
]
const CONTROLS: [string, string[]][] = [
  ['strong-line', ['surface', 'page']],
  ['accent', ['surface', 'page']],
  ['red', ['surface', 'page']],
  ['coin', ['hero']],
  ['mint', ['hero']]
]

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const pairs = (list: [string, string[]][]) => list.flatMap(([on, under]) => under.map((ground) => ({ on, ground })))
  it.each(pairs(FIGURES))('figures: $on on $ground', ({ on, ground }) => {
    expect(contrast(colour(on, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(AAA_TEXT)
  })
  it.each(pairs(TEXTS))('text: $on on $ground', ({ on, ground }) => {
    expect(contrast(colour(on, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(AA_TEXT)
  })
  it.each(pairs(RING))('the focus ring: $on on $ground', ({ on, ground }) => {
    expect(contrast(colour(on, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(CONTROL)
  })
  it.each(pairs(CONTROLS))('lines of controls: $on on $ground', ({ on, ground }) => {
    expect(contrast(colour(on, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(CONTROL)
  })
})

it('every green panel sets the ring to its text colour', () => {
  for (const file of ['src/islands/ui/Hero.css', 'src/islands/ui/Deal.css', 'src/islands/ui/Thumb.css']) {
    const panel = readFileSync(file, 'utf8')
    const grounds = panel.match(/background: var\(--color-hero\);/g) ?? []
    expect(grounds.length, file).toBe(1)
    expect(panel, file).toContain('--ring: var(--color-on-hero);')
  }
  expect(readFileSync('src/layouts/css/base.css', 'utf8')).toContain('outline: 2px solid var(--ring, var(--color-accent));')
})
