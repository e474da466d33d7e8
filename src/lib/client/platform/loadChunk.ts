/** Loads code on the tap that needs it; a failed load can be tried again. */

let attempts = 0

/**
 * Loads a module. Browsers remember a failed load for the life of the page, so a retry needs another URL, which is
 * made from the one in the error message.
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
