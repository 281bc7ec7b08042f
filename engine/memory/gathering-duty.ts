import type { Doorbell } from './doorbell.js'
import type { Duty } from './duty.js'

export interface GatherOptions {
  /** Longest doze. */
  readonly millis: number
  /** Dozes in a row: between two it looks whether there is urgent work, which ends no doze then. Left out: one. */
  readonly dozesMax?: number
  /** Work of at least this much was cut off: more of it waits already. */
  readonly countFull: number
  /** Whether something waits that rouses the thread. */
  readonly hasUrgentWork: () => boolean
}

/**
 * A duty that dozes after each piece of work, so that the next piece is a larger one. Its thread
 * costs those that it follows no wake-up per record, and itself less per record; what it does comes
 * later by the length of a doze.
 */
export function gatheringDuty(duty: Duty, doorbell: Doorbell, options: GatherOptions): Duty {
  const { millis, dozesMax = 1, countFull, hasUrgentWork } = options
  const endsDoze = dozesMax === 1 ? hasUrgentWork : () => false
  const rest = () => {
    let dozes = 0
    do doorbell.doze(millis, endsDoze)
    while (++dozes < dozesMax && !hasUrgentWork())
  }
  return {
    role: duty.role,
    onStart: () => duty.onStart(),
    doWork() {
      const count = duty.doWork()
      if (count > 0 && count < countFull) rest()
      return count
    },
    onClose: () => duty.onClose(),
  }
}
