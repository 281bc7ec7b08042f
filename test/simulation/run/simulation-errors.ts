import { JournalFailure } from '../../../engine/journal/journal-errors.js'

/** Violated invariant: the simulation has found a bug. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** @throws Violation when `ok` is false; only then `what` is called */
export function mustHold(ok: boolean, what: () => string): asserts ok {
  if (!ok) throw new Violation(what())
}

/** End of the process between two instructions; with `power` the page cache is lost too. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash'
  readonly power: boolean

  constructor(power: boolean) {
    super(power ? 'the power went' : 'the process was killed')
    this.power = power
  }
}

/** Error of the operating system when a disk fails; the process receives it. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
}

/**
 * Returns the cause of a life's end: a crash, or a failed disk.
 * @throws any other error, which is a bug
 */
export function endOfLife(error: unknown): SimulatedCrash | DiskError {
  const cause = error instanceof JournalFailure ? error.cause : error
  if (cause instanceof DiskError || cause instanceof SimulatedCrash) return cause
  throw cause
}
