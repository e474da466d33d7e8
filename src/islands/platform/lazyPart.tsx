import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import { partTexts } from '#messages/platform/part.ts'
import { texts } from '#messages/platform/texts.ts'

/** Loads a part on the press that needs it. If that fails, the part shows an error and the rest of the page stays. */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadChunk(load).catch(() => ({ default: Unreachable as ComponentType<Props> })))
}

function Unreachable() {
  return (
    <div role="alert" className="grid gap-3 py-4">
      <p className="text-red">{texts.unreachable}</p>
      <button type="button" className="button button-quiet" onClick={() => window.location.reload()}>
        {partTexts.tryAgain}
      </button>
    </div>
  )
}
