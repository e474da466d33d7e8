import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import { texts } from '#lib/messages/en/platform.ts'

/** A part that only a press needs, loaded on that press. Where it cannot be had it says so, and the rest stays. */
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
        Try again
      </button>
    </div>
  )
}
