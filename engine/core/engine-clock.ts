import { assert } from '../../schemas/assert.js'
import { ClockAlarm } from '../../schemas/domain.js'
import { SetClockAlarmCommand } from '../../schemas/generated/commands.js'
import type { Ring } from '../memory/ring.js'
import type { ClockState } from '../state/market/clock-state.js'
import { askedByNobody } from './operator/accept-loss.js'

interface EngineClockState {
  readonly nowMillis: number
  readonly clock: ClockState
}

/** The two clocks of a machine: one that somebody may step, and one that only goes on, and stands in a suspend. */
export interface ClockSource {
  wallMillis(): number
  steadyMillis(): number
}

export interface ClockBounds {
  /** What the wall clock may differ from steady time before it counts as stepped. */
  readonly stepMillisMax: number
  /** What the wall clock may be ahead of the journal at a start. */
  readonly downtimeMillisMax: number
}

/** A free-running quartz is no better: a wall clock that is led back so slowly is no clock that is stepped. */
const driftMax = 1e-4
/** Between looking at one clock and at the other the thread may lose its core: then it looks again. */
const looksMax = 5
const lookMillisMax = 100

//   wall clock, less what of it is not followed
//        │   within the bound of steady time?
//        ├── yes ──► followed, never back
//        └── no ───► SetClockAlarm: from here on time goes on by steady time
//                        ├── the wall clock comes back to it ──────────────► SetClockAlarm: followed again
//                        ├── AcceptClock engine: their distance is kept ───► followed less that
//                        └── AcceptClock wall ──► as soon as it is not behind ──► SetClockAlarm: followed
//
// The step that ends an alarm stands at the begin of the batch whose command ends it: what waits for that time is due
// in the batch after, and what stands still in an alarm has stood still over the step.

/**
 * Where engine time comes from: the shell of the core reads it once per batch. What it finds out about the wall clock
 * goes to the core as a command, and what the core says to that is read in its state, so it is nowhere else than there.
 */
export class EngineClock {
  readonly #state: EngineClockState
  readonly #shell: Ring
  readonly #source: ClockSource
  readonly #bounds: ClockBounds
  /** Engine time less steady time, as long as nothing is stepped. */
  #anchorMillis = 0
  #engineMillis = 0
  #steadyMillis = 0
  #wallMillis = 0
  /** What may have passed before this process looked; 0 from the first time that it believed the clock. */
  #unseenMillis = 0
  #wasDoubted = false
  /** Wall clock less steady time since the clock was accepted; NaN before. */
  #acceptedMillis = Number.NaN

  /** @param shell the producer's end of a source of the core that is nobody else's; taken from before other ones. */
  constructor(state: EngineClockState, shell: Ring, source: ClockSource, bounds: ClockBounds) {
    this.#state = state
    this.#shell = shell
    this.#source = source
    this.#bounds = bounds
  }

  /** What the wall clock says beyond engine time, as of the latest read. */
  get aheadMillis(): number {
    return this.#wallMillis - this.#engineMillis
  }

  /** Engine time as other threads go on with it from the latest read. */
  get now(): number {
    return Math.floor(this.#engineMillis + this.#source.steadyMillis() - this.#steadyMillis)
  }

  /** Steady time as of the latest read. */
  get steadyMillis(): number {
    return this.#steadyMillis
  }

  /** After recovery: goes on from the journal's last time. @returns engine time. */
  start(): number {
    const { nowMillis, clock } = this.#state
    const { downtimeMillisMax, stepMillisMax } = this.#bounds
    this.#look()
    this.#engineMillis = nowMillis === 0 ? this.#wallMillis : nowMillis
    this.#anchorMillis = this.#engineMillis - this.#steadyMillis
    // While a step forward stands, a clock that is further ahead than that says nothing of when it was.
    const isStepped = clock.alarm === ClockAlarm.Raised && clock.stepMillis > 0
    const room = isStepped ? clock.stepMillis - 2 * stepMillisMax : Number.POSITIVE_INFINITY
    this.#unseenMillis = Math.max(0, Math.min(downtimeMillisMax, room))
    return this.read()
  }

  /** Engine time now; never less than before. */
  read(): number {
    const beforeMillis = this.#steadyMillis
    const isSure = this.#look()
    const going = this.#anchorMillis + this.#steadyMillis
    // Until the core has taken the last command, or after looks that say nothing, time just goes on.
    const isLooking = isSure && this.#shell.depthBytes() === 0
    const millis = isLooking ? this.#judge(going, this.#steadyMillis - beforeMillis) : going
    // Steady time has fractions, engine time has none: amounts are shared by it.
    this.#engineMillis = Math.max(this.#engineMillis, Math.floor(millis))
    assert(
      Number.isSafeInteger(this.#engineMillis),
      'clock: engine time is a safe integer of milliseconds',
    )
    return this.#engineMillis
  }

  /** @returns whether both clocks were seen at one time. */
  #look(): boolean {
    for (let looks = 0; looks < looksMax; looks++) {
      this.#steadyMillis = this.#source.steadyMillis()
      this.#wallMillis = this.#source.wallMillis()
      if (this.#source.steadyMillis() - this.#steadyMillis < lookMillisMax) return true
    }
    return false
  }

  #judge(going: number, passedMillis: number): number {
    const { clock } = this.#state
    const named = this.#wallMillis - clock.offsetMillis
    if (clock.alarm !== ClockAlarm.Accepted) this.#acceptedMillis = Number.NaN
    // Ended by the operator: what had passed is said, so a further difference is a step.
    if (clock.alarm === ClockAlarm.None && this.#wasDoubted) this.#unseenMillis = 0
    this.#wasDoubted = clock.alarm !== ClockAlarm.None
    switch (clock.alarm) {
      case ClockAlarm.None:
        return this.#follow(going, named, passedMillis)
      case ClockAlarm.Raised:
        return this.#awaitBack(going, named)
      case ClockAlarm.Accepted:
        return this.#awaitAccepted(going)
    }
  }

  #follow(going: number, named: number, passedMillis: number): number {
    if (!this.#isCredible(going, named)) return this.#doubt(going, named)
    if (this.#unseenMillis > 0) return this.#goOnWith(named)
    const driftMillis = passedMillis * driftMax
    this.#anchorMillis += Math.max(-driftMillis, Math.min(driftMillis, named - going))
    return named
  }

  /** The wall clock cannot be followed as it was; when it is right by itself, its old distance is forgotten. */
  #doubt(going: number, named: number): number {
    if (this.#state.clock.offsetMillis !== 0 && this.#isCredible(going, this.#wallMillis)) {
      return this.#end(this.#wallMillis, 0)
    }
    const stepMillis = named - going
    this.#anchorMillis = Math.max(going, this.#engineMillis) - this.#steadyMillis
    if (stepMillis > 0) {
      const room = stepMillis - 2 * this.#bounds.stepMillisMax
      this.#unseenMillis = Math.max(0, Math.min(this.#unseenMillis, room))
    }
    this.#tell(ClockAlarm.Raised, stepMillis, this.#state.clock.offsetMillis)
    return going
  }

  #awaitBack(going: number, named: number): number {
    if (this.#isCredible(going, named)) return this.#end(named, this.#state.clock.offsetMillis)
    if (this.#isCredible(going, this.#wallMillis)) return this.#end(this.#wallMillis, 0)
    return going
  }

  /** Engine time waits for an accepted clock that is behind it; one that is stepped meanwhile is another one. */
  #awaitAccepted(going: number): number {
    const wall = this.#wallMillis
    const distance = wall - this.#steadyMillis
    if (Number.isNaN(this.#acceptedMillis)) {
      const expected = this.#engineMillis + this.#state.clock.stepMillis
      const beyond = wall - expected
      this.#acceptedMillis = distance
      if (!this.#isWithin(beyond, this.#unseenMillis)) return this.#doubt(going, wall)
    } else if (!this.#isWithin(distance - this.#acceptedMillis, 0)) {
      return this.#doubt(going, wall)
    }
    if (wall >= this.#engineMillis) return this.#end(wall, 0)
    this.#anchorMillis = this.#engineMillis - this.#steadyMillis
    return this.#engineMillis
  }

  /** Whether the wall clock may say what engine time is: at a start it may be as far on as the engine was down. */
  #isCredible(going: number, named: number): boolean {
    return this.#isWithin(named - going, this.#unseenMillis)
  }

  #isWithin(aheadMillis: number, unseenMillis: number): boolean {
    const { stepMillisMax } = this.#bounds
    return aheadMillis >= -stepMillisMax && aheadMillis <= stepMillisMax + unseenMillis
  }

  #end(named: number, offsetMillis: number): number {
    this.#tell(ClockAlarm.None, 0, offsetMillis)
    return this.#goOnWith(named)
  }

  #goOnWith(named: number): number {
    const engineMillis = Math.max(named, this.#engineMillis)
    this.#anchorMillis = named - this.#steadyMillis
    this.#unseenMillis = 0
    return engineMillis
  }

  #tell(alarm: ClockAlarm, stepMillis: number, offsetMillis: number): void {
    // It may be raised and accepted before the next look.
    if (alarm === ClockAlarm.Raised) this.#wasDoubted = true
    const command = new SetClockAlarmCommand()
    assert(command.claim(this.#shell), 'shell ring: empty before each of its commands')
    askedByNobody(command)
    command.alarm = alarm
    command.stepMillis = stepMillis
    command.offsetMillis = offsetMillis
    this.#shell.commit()
  }
}
