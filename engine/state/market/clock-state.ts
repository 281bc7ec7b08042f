import { ClockAlarm } from '../../../schemas/domain.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

/**
 * The engine's view of the clock. The engine never reads a clock: batches bring the time, and commands report steps, so
 * that a replay halts and continues at the same places.
 */
export class ClockState implements Saved {
  alarm: ClockAlarm = ClockAlarm.None
  /** Lead of the clock over engine time when the alarm was raised, or the clock accepted. */
  stepMillis = 0
  /** Part of the clock that is not followed: engine time is the clock less this offset. */
  offsetMillis = 0
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Clock, this)

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  set(alarm: ClockAlarm, stepMillis: number, offsetMillis: number): void {
    this.alarm = alarm
    this.stepMillis = stepMillis
    this.offsetMillis = offsetMillis
    this.#hash.note(this.#cell)
  }

  save(sink: StateSink): void {
    sink.i32(this.alarm)
    sink.f64(this.stepMillis)
    sink.f64(this.offsetMillis)
  }

  /** Reads what `save` wrote. */
  load(reader: StateReader): void {
    this.set(reader.i32() as ClockAlarm, reader.f64(), reader.f64())
  }
}
