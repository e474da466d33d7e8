/** The parts of a browser that a screen module needs: storage and a location. */
import { setPersistentEngine } from '@nanostores/persistent'
import { beforeEach } from 'vitest'

/** A Storage whose keys are also its properties, as in a browser. */
function createStorage(): Storage {
  const methods = {
    getItem: (key: string): string | null => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      storage[key] = String(value)
    },
    removeItem: (key: string) => {
      delete storage[key]
    },
    clear: () => {
      for (const key of Object.keys(storage)) delete storage[key]
    }
  }
  const storage: Record<string, string> = Object.create(methods)
  return storage as unknown as Storage
}

globalThis.localStorage = createStorage()
globalThis.sessionStorage = createStorage()
setPersistentEngine(globalThis.localStorage as unknown as Record<string, string>, {
  addEventListener: () => undefined,
  removeEventListener: () => undefined
})

globalThis.location = new URL('http://wallet.test/') as unknown as Location

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
/** A page without a menu. */
globalThis.document = { querySelector: () => null } as unknown as Document
