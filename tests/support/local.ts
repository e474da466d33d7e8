/** A request in process as from a browser on this machine: calls with a limit by address need one. */
export const LOCAL = { incoming: { socket: { remoteAddress: '127.0.0.1' } } } as never
