/** Loaded before the server: its clock stands `CLOCK_AHEAD_MS` from the machine's, and runs on from there. */
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const Machine = Date
globalThis.Date = class extends Machine {
  constructor(...args) {
    if (args.length === 0) super(Machine.now() + ahead)
    else super(...args)
  }

  static now() {
    return Machine.now() + ahead
  }
}
