import { assert } from '../../schemas/assert.js'
import { ClockAlarm } from '../../schemas/domain.js'
import { SetClockAlarmCommand } from '../../schemas/generated/commands.js'
import type { Ring } from '../memory/ring.js'
import type { ClockState } from '../state/market/clock-state.js'
import { beginShellCommand } from './operator/accept-loss.js'

interface EngineClockState {
  readonly nowMillis: number
  readonly clock: ClockState
}

/**
 * The two clocks of a machine: the wall clock, which may be stepped, and a steady clock, which stops during a suspend.
 */
export interface ClockSource {
  wallMillis(): number
  steadyMillis(): number
}

export interface ClockBounds {
  /** Maximum difference between wall clock and steady time; beyond it the wall clock counts as stepped. */
  readonly stepMillisMax: number
  /** Maximum lead of the wall clock over the journal at a start. */
  readonly downtimeMillisMax: number
}

/**
 * Maximum drift that is followed, as a share of time. A free-running quartz is no better, so a slower slew is not a
 * step.
 */
const driftMax = 1e-4
/** The thread may lose its core between reading the two clocks; then it reads both again. */
const readsMax = 5
const readMillisMax = 100

//   wall clock, less its offset
//        │   within the bound of steady time?
//        ├── yes ──► followed, never back
//        └── no ───► SetClockAlarm: from here on time follows steady time
//                        ├── the wall clock returns within the bound ──────► SetClockAlarm: followed again
//                        ├── AcceptClock engine: the offset is kept ───────► followed less the offset
//                        └── AcceptClock wall ──► once it is not behind ───► SetClockAlarm: followed
//
// The step that ends an alarm is the beginning of the batch whose command ends it. Work that becomes due by the step
// therefore runs in the batch after it, and whatever an alarm stops is also stopped during the step.

/**
 * Source of engine time: the core's shell reads it once per batch. Findings about the wall clock go to the core as
 * commands, and the core's decisions are read from its state. The state is therefore the only copy.
 */
export class EngineClock {
  readonly #state: EngineClockState
  readonly #shell: Ring
  readonly #source: ClockSource
  readonly #bounds: ClockBounds
  /** Engine time less steady time, while no clock is stepped. */
  #anchorMillis = 0
  #engineMillis = 0
  #steadyMillis = 0
  #wallMillis = 0
  /** Maximum downtime before this process started; 0 once it has followed the wall clock. */
  #unseenMillis = 0
  #wasDoubted = false
  /** Wall clock less steady time since the operator accepted the wall clock; NaN before. */
  #acceptedMillis = Number.NaN

  /**
   * @param shell the producer's end of a source of the core that only this clock and the shell use; read before the
   * others.
   */
  constructor(state: EngineClockState, shell: Ring, source: ClockSource, bounds: ClockBounds) {
    this.#state = state
    this.#shell = shell
    this.#source = source
    this.#bounds = bounds
  }

  /** Lead of the wall clock over engine time, at the latest read. */
  get aheadMillis(): number {
    return this.#wallMillis - this.#engineMillis
  }

  /** Current engine time for other threads, extrapolated from the latest read by steady time. */
  get now(): number {
    return Math.floor(this.#engineMillis + this.#source.steadyMillis() - this.#steadyMillis)
  }

  /** Steady time at the latest read. */
  get steadyMillis(): number {
    return this.#steadyMillis
  }

  /**
   * Starts after recovery, from the last time of the journal.
   * @returns engine time.
   */
  start(): number {
    const { nowMillis, clock } = this.#state
    const { downtimeMillisMax, stepMillisMax } = this.#bounds
    this.#readClocks()
    this.#engineMillis = nowMillis === 0 ? this.#wallMillis : nowMillis
    this.#anchorMillis = this.#engineMillis - this.#steadyMillis
    // After a journaled step forward, a clock further ahead than that step cannot be explained by downtime.
    const isStepped = clock.alarm === ClockAlarm.Raised && clock.stepMillis > 0
    const room = isStepped ? clock.stepMillis - 2 * stepMillisMax : Number.POSITIVE_INFINITY
    this.#unseenMillis = Math.max(0, Math.min(downtimeMillisMax, room))
    return this.read()
  }

  /** Reads engine time, which never goes back. */
  read(): number {
    const beforeMillis = this.#steadyMillis
    const isSure = this.#readClocks()
    const steady = this.#anchorMillis + this.#steadyMillis
    // While the core has not taken the last command, or if the clocks were not read together, time follows steady time.
    const isJudging = isSure && this.#shell.depthBytes() === 0
    const millis = isJudging ? this.#judge(steady, this.#steadyMillis - beforeMillis) : steady
    // Steady time has fractions, engine time has none, because amounts are divided by it.
    this.#engineMillis = Math.max(this.#engineMillis, Math.floor(millis))
    assert(
      Number.isSafeInteger(this.#engineMillis),
      'clock: engine time is a safe integer of milliseconds',
    )
    return this.#engineMillis
  }

  /** @returns true if both clocks were read within `lookMillisMax`. */
  #readClocks(): boolean {
    for (let reads = 0; reads < readsMax; reads++) {
      this.#steadyMillis = this.#source.steadyMillis()
      this.#wallMillis = this.#source.wallMillis()
      if (this.#source.steadyMillis() - this.#steadyMillis < readMillisMax) return true
    }
    return false
  }

  #judge(steady: number, passedMillis: number): number {
    const { clock } = this.#state
    const adjusted = this.#wallMillis - clock.offsetMillis
    if (clock.alarm !== ClockAlarm.Accepted) this.#acceptedMillis = Number.NaN
    // The operator ended the alarm. No downtime is left to explain, so a further difference is a step.
    if (clock.alarm === ClockAlarm.None && this.#wasDoubted) this.#unseenMillis = 0
    this.#wasDoubted = clock.alarm !== ClockAlarm.None
    switch (clock.alarm) {
      case ClockAlarm.None:
        return this.#follow(steady, adjusted, passedMillis)
      case ClockAlarm.Raised:
        return this.#awaitBack(steady, adjusted)
      case ClockAlarm.Accepted:
        return this.#awaitAccepted(steady)
    }
  }

  #follow(steady: number, adjusted: number, passedMillis: number): number {
    if (!this.#isCredible(steady, adjusted)) return this.#doubt(steady, adjusted)
    if (this.#unseenMillis > 0) return this.#goOnWith(adjusted)
    const driftMillis = passedMillis * driftMax
    this.#anchorMillis += Math.max(-driftMillis, Math.min(driftMillis, adjusted - steady))
    return adjusted
  }

  /** Raises an alarm. If the wall clock is right without the old offset, drops the offset instead. */
  #doubt(steady: number, adjusted: number): number {
    if (this.#state.clock.offsetMillis !== 0 && this.#isCredible(steady, this.#wallMillis)) {
      return this.#end(this.#wallMillis, 0)
    }
    const stepMillis = adjusted - steady
    this.#anchorMillis = Math.max(steady, this.#engineMillis) - this.#steadyMillis
    if (stepMillis > 0) {
      const room = stepMillis - 2 * this.#bounds.stepMillisMax
      this.#unseenMillis = Math.max(0, Math.min(this.#unseenMillis, room))
    }
    this.#publish(ClockAlarm.Raised, stepMillis, this.#state.clock.offsetMillis)
    return steady
  }

  #awaitBack(steady: number, adjusted: number): number {
    if (this.#isCredible(steady, adjusted))
      return this.#end(adjusted, this.#state.clock.offsetMillis)
    if (this.#isCredible(steady, this.#wallMillis)) return this.#end(this.#wallMillis, 0)
    return steady
  }

  /** Holds engine time until an accepted clock has caught up. If that clock is stepped before then, raises an alarm. */
  #awaitAccepted(steady: number): number {
    const wall = this.#wallMillis
    const distance = wall - this.#steadyMillis
    if (Number.isNaN(this.#acceptedMillis)) {
      const expected = this.#engineMillis + this.#state.clock.stepMillis
      const beyond = wall - expected
      this.#acceptedMillis = distance
      if (!this.#isWithin(beyond, this.#unseenMillis)) return this.#doubt(steady, wall)
    } else if (!this.#isWithin(distance - this.#acceptedMillis, 0)) {
      return this.#doubt(steady, wall)
    }
    if (wall >= this.#engineMillis) return this.#end(wall, 0)
    this.#anchorMillis = this.#engineMillis - this.#steadyMillis
    return this.#engineMillis
  }

  /** Returns true if engine time may follow the wall clock. At a start the clock may lead by the downtime. */
  #isCredible(steady: number, adjusted: number): boolean {
    return this.#isWithin(adjusted - steady, this.#unseenMillis)
  }

  #isWithin(aheadMillis: number, unseenMillis: number): boolean {
    const { stepMillisMax } = this.#bounds
    return aheadMillis >= -stepMillisMax && aheadMillis <= stepMillisMax + unseenMillis
  }

  #end(adjusted: number, offsetMillis: number): number {
    this.#publish(ClockAlarm.None, 0, offsetMillis)
    return this.#goOnWith(adjusted)
  }

  #goOnWith(adjusted: number): number {
    const engineMillis = Math.max(adjusted, this.#engineMillis)
    this.#anchorMillis = adjusted - this.#steadyMillis
    this.#unseenMillis = 0
    return engineMillis
  }

  #publish(alarm: ClockAlarm, stepMillis: number, offsetMillis: number): void {
    // The alarm may be raised and accepted before the next read.
    if (alarm === ClockAlarm.Raised) this.#wasDoubted = true
    const command = new SetClockAlarmCommand()
    assert(command.claim(this.#shell), 'shell ring: empty before each of its commands')
    beginShellCommand(command)
    command.alarm = alarm
    command.stepMillis = stepMillis
    command.offsetMillis = offsetMillis
    this.#shell.commit()
  }
}
