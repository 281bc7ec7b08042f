import type { Duty } from './duty.js'
import type { Wakeup } from './wakeup.js'

export interface GatherOptions {
  /** Longest pause. */
  readonly millis: number
  /** Maximum number of consecutive pauses; default 1. With more than one, urgent work is checked only between pauses. */
  readonly dozesMax?: number
  /** At this amount of work the duty was cut off, so more work already waits. */
  readonly countFull: number
  /** Returns true if work waits whose producer calls `rouse`. */
  readonly hasUrgentWork: () => boolean
}

/**
 * A duty that pauses after each piece of work, so that the next piece is larger. Its producers pay no wakeup per record,
 * and it pays less per record. Its work is delayed by up to one pause.
 */
export function gatheringDuty(duty: Duty, wakeup: Wakeup, options: GatherOptions): Duty {
  const { millis, dozesMax = 1, countFull, hasUrgentWork } = options
  const endsPark = dozesMax === 1 ? hasUrgentWork : () => false
  const parkBetween = () => {
    let dozes = 0
    do wakeup.doze(millis, endsPark)
    while (++dozes < dozesMax && !hasUrgentWork())
  }
  return {
    role: duty.role,
    onStart: () => duty.onStart(),
    doWork() {
      const count = duty.doWork()
      if (count > 0 && count < countFull) parkBetween()
      return count
    },
    onClose: () => duty.onClose(),
  }
}
