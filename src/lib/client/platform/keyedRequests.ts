import { loadChunk } from './loadChunk.ts'

/**
 * Sends requests with keys. One whose outcome is unknown stays undecided: the form sends exactly that one again, without checks against balances
 * that it may have changed itself, until it is done or refused. `subject`: what a request is about, where there are several, e.g. an order's id.
 */
export function keyedRequests<Request extends object>(storageName: string) {
  const open = new Map<string, { request: Request; said: string }>()
  return {
    undecided: (subject = ''): Request | undefined => open.get(subject)?.request,
    /** The sentence that the customer has read about it. */
    said: (subject = ''): string | undefined => open.get(subject)?.said,
    /** `run` makes the call; undefined: the customer did not prove who they are, and nothing was sent. */
    send: async <T>(
      request: Request,
      run: (request: Request, idempotencyKey: string) => Promise<T | undefined>,
      subject = ''
    ): Promise<T | undefined> => {
      // Loaded before it is sent: afterwards the server may not be reached.
      const { sendWithKey, isStillOpen } = await loadChunk(() => import('./requestKey.ts'))
      const before = open.get(subject)
      try {
        const answer = await sendWithKey(storageName, request, run)
        if (answer !== undefined) open.delete(subject)
        return answer
      } catch (error) {
        if (!isStillOpen(error, before !== undefined)) open.delete(subject)
        else open.set(subject, { request, said: before?.said ?? (error as Error).message })
        throw error
      }
    }
  }
}
