/** Loaded before the server: its clock runs `CLOCK_AHEAD_MS` ahead of the machine's (negative: behind). */
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
