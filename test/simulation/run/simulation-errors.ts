import { JournalFailure } from '../../../engine/journal/journal-errors.js'

/** Something that must always hold does not: the simulation has found a bug. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** @throws Violation when `ok` is false; `what` is only asked then. */
export function mustHold(ok: boolean, what: () => string): asserts ok {
  if (!ok) throw new Violation(what())
}

/** The process is gone from one instruction to the next; with `power` the page cache is, too. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash'
  readonly power: boolean

  constructor(power: boolean) {
    super(power ? 'the power went' : 'the process was killed')
    this.power = power
  }
}

/** What the operating system answers when a disk fails: the process hears of it. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
}

/** What has ended a life: a crash, or a disk that failed. @throws whatever else it was, which is a bug. */
export function endOfLife(error: unknown): SimulatedCrash | DiskError {
  const cause = error instanceof JournalFailure ? error.cause : error
  if (cause instanceof DiskError || cause instanceof SimulatedCrash) return cause
  throw cause
}
