import { ClockAlarm } from '../../schemas/domain.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { HashKind, type StateHash } from '../memory/state-hash.js'

/**
 * What the engine knows of its clock. It never reads one: batches bring the time, and commands say when the clock
 * was stepped, so that a replay halts and goes on at the same places. The usual state is no element of the hash.
 */
export class ClockState {
  alarm: ClockAlarm = ClockAlarm.None
  /** What the clock said beyond engine time when the alarm was raised, or the clock accepted. */
  stepMillis = 0
  /** What of the clock is not followed: engine time is the clock less this. */
  offsetMillis = 0
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  set(alarm: ClockAlarm, stepMillis: number, offsetMillis: number): void {
    this.#put(false)
    this.alarm = alarm
    this.stepMillis = stepMillis
    this.offsetMillis = offsetMillis
    this.#put(true)
  }

  save(writer: StateWriter): void {
    writer.i32(this.alarm)
    writer.f64(this.stepMillis)
    writer.f64(this.offsetMillis)
  }

  /** Reads what `save` wrote, and adds its elements to the hash. */
  load(reader: StateReader): void {
    const alarm = reader.i32() as ClockAlarm
    this.set(alarm, reader.f64(), reader.f64())
  }

  #put(adds: boolean): void {
    const { alarm, stepMillis, offsetMillis } = this
    if (alarm === ClockAlarm.None && offsetMillis === 0) return
    const hash = this.#hash
    if (adds) hash.add(HashKind.Clock, alarm, stepMillis, offsetMillis)
    else hash.remove(HashKind.Clock, alarm, stepMillis, offsetMillis)
  }
}
