/** The script of pages with a value line: with the first touch it loads what reading the line at a point needs. */
import { loadChunk } from '../platform/loadChunk.ts'

const started = new WeakSet<Element>()

for (const kind of ['pointerover', 'pointerdown'] as const)
  document.addEventListener(kind, async (event) => {
    const plot = event.target instanceof Element ? event.target.closest<HTMLElement>('.line-plot') : null
    if (!plot || started.has(plot)) return
    started.add(plot)
    const { readLine } = await loadChunk(() => import('./readLine.ts'))
    // A failed load is tried again with the next touch.
    await readLine(plot, event).catch(() => started.delete(plot))
  })
