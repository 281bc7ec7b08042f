import { ClockAlarm } from '../../../schemas/domain.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

/**
 * What the engine knows of its clock. It never reads one: batches bring the time, and commands say when the clock
 * was stepped, so that a replay halts and goes on at the same places.
 */
export class ClockState implements Saved {
  alarm: ClockAlarm = ClockAlarm.None
  /** What the clock said beyond engine time when the alarm was raised, or the clock accepted. */
  stepMillis = 0
  /** What of the clock is not followed: engine time is the clock less this. */
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
