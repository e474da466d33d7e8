/**
 * Runs a function that returns a promise; an error that it throws at once rejects the promise as well. Together with `then` it stands in for
 * `async` where a page waits for many calls at once: an async function keeps ten objects while it waits, which each collection of V8 copies.
 */
export function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run()
  } catch (error) {
    return Promise.reject(error)
  }
}
