/**
 * Returns the promise of `run`; where `run` throws at once, a promise that is rejected with that error. Use it with `then` instead of an async function
 * where a page waits for many calls: an async function keeps about ten objects while it waits, and V8 copies them with each collection. `Promise.try`
 * would make another promise and wait for it.
 */
export function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run()
  } catch (error) {
    return Promise.reject(error)
  }
}
