/** Drawn pictures for the sandbox's entries. A real space has photographs; these are turned into a PNG when they are fetched. */

const WIDTH = 1200
const HEIGHT = 675
const [DARK, DEEP, GREEN, PALE, GOLD] = ['#0e2a20', '#123c2d', '#1f7a56', '#cfe8dc', '#d9a441']

const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const box = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
const line = (points: string, { stroke = PALE, width = 6, opacity = 1 } = {}) =>
  `<polyline points="${points}" fill="none" stroke="${stroke}" stroke-width="${width}" opacity="${opacity}" stroke-linejoin="round" stroke-linecap="round"/>`

const NODES = [
  [220, 180],
  [480, 420],
  [620, 150],
  [860, 360],
  [1010, 190],
  [330, 520],
  [1000, 540]
] as const
const LINKS = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 4],
  [1, 5],
  [3, 6],
  [1, 3]
] as const

const drawings: Record<string, () => string> = {
  network: () =>
    LINKS.map(([a, b]) => line(`${NODES[a]} ${NODES[b]}`, { opacity: 0.5 })).join('') +
    NODES.map(([x, y], index) => circle(x, y, index === 3 ? 44 : 26, index === 3 ? GOLD : GREEN)).join(''),
  vault: () =>
    box(360, 100, 480, 475, GREEN, 'rx="28"') +
    circle(600, 337, 150, DEEP) +
    circle(600, 337, 104, 'none', `stroke="${PALE}" stroke-width="8"`) +
    [0, 60, 120].map((turn) => `<g transform="rotate(${turn} 600 337)">${box(594, 200, 12, 274, PALE, 'rx="6"')}</g>`).join('') +
    circle(600, 337, 34, GOLD),
  mobile: () =>
    box(470, 70, 260, 535, DEEP, `rx="40" stroke="${PALE}" stroke-width="8"`) +
    [0, 1, 2, 3].map((row) => box(510, 250 + row * 76, 180, 44, row === 1 ? GOLD : GREEN, 'rx="12"')).join('') +
    circle(600, 170, 44, GREEN),
  growth: () =>
    [0, 1, 2, 3, 4, 5]
      .map((bar) => box(230 + bar * 130, 500 - bar * 62, 76, 90 + bar * 62, bar === 5 ? GOLD : GREEN, 'rx="10"'))
      .join('') + line('250,440 390,400 520,330 650,270 780,190 920,120'),
  shield: () =>
    `<path d="M600 90 L840 170 V350 C840 480 740 560 600 610 C460 560 360 480 360 350 V170 Z" fill="${GREEN}"/>` +
    line('490,350 570,430 720,270', { stroke: GOLD, width: 26 }),
  bank: () =>
    `<path d="M600 110 L930 270 H270 Z" fill="${GREEN}"/>` +
    [320, 460, 600, 740, 880].map((x) => box(x - 30, 300, 60, 210, x === 600 ? GOLD : GREEN, 'rx="8"')).join('') +
    box(260, 535, 680, 44, PALE, 'rx="10" opacity=".8"'),
  market: () =>
    [0, 1, 2, 3, 4].map((row) => box(600 - (row + 1) * 76, 130 + row * 90, (row + 1) * 76 - 8, 62, GREEN, 'rx="8"')).join('') +
    [0, 1, 2, 3, 4]
      .map((row) =>
        box(608, 130 + row * 90, (5 - row) * 76, 62, row === 0 ? GOLD : DEEP, `rx="8" stroke="${GREEN}" stroke-width="3"`)
      )
      .join(''),
  calendar: () =>
    box(340, 130, 520, 440, DEEP, `rx="28" stroke="${PALE}" stroke-width="8"`) +
    box(340, 130, 520, 90, GREEN, 'rx="28"') +
    Array.from({ length: 15 }, (_, day) =>
      circle(420 + (day % 5) * 90, 290 + Math.floor(day / 5) * 95, 28, day === 8 ? GOLD : GREEN, day > 10 ? 'opacity=".4"' : '')
    ).join('')
}

export const PICTURES = Object.keys(drawings)

/** An SVG; undefined for an unknown name. */
export function pictureOf(name: string): string | undefined {
  const drawing = Object.hasOwn(drawings, name) ? drawings[name]?.() : undefined
  if (drawing === undefined) return undefined
  const ground = `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${DEEP}"/><stop offset="1" stop-color="${DARK}"/></linearGradient></defs>${box(0, 0, WIDTH, HEIGHT, 'url(#g)')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" viewBox="0 0 ${WIDTH} ${HEIGHT}">${ground}${drawing}</svg>`
}
