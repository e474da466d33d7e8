/** Code that only a tap needs is loaded on that tap; on a bad line that must be possible a second time. */

let attempts = 0

/**
 * Loads a module. Browsers remember a failed load for as long as the page lives, and repeat only the failure: then it
 * is asked for again under another address, which their error message tells.
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const url = /https?:\/\/\S+\.js/.exec(String(error))?.[0]
    if (!url) throw error
    attempts += 1
    return await import(/* @vite-ignore */ `${url}?again=${attempts}`)
  }
}
