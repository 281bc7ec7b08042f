import type { Doorbell, IdleStrategy } from './doorbell.js'

/**
 * What one thread does, as a state machine that anybody may turn: the thread's loop (`runDuty`), a
 * test, the simulator. Called a duty because an agent is an approved signer.
 */
export interface Duty {
  readonly role: string
  onStart(): void
  /** One bounded piece of work. @returns how much was done; 0 lets the idle strategy wait. */
  doWork(): number
  /** Of one that watches deadlines of its own: milliseconds to the next of them; not above 0: it is not to be waited for. */
  untilDeadlineMillis?(): number
  onClose(): void
}

/**
 * One shared word that ends a loop; whoever raises it rings the doorbell of the loop's thread,
 * too.
 */
export class StopFlag {
  readonly #words: Int32Array
  readonly #word: number

  constructor(memory: SharedArrayBuffer, word: number) {
    this.#words = new Int32Array(memory)
    this.#word = word
  }

  raise(): void {
    Atomics.store(this.#words, this.#word, 1)
  }

  isRaised(): boolean {
    return Atomics.load(this.#words, this.#word) !== 0
  }

  /** Comes back when it is raised. @param pause passes a little time. */
  waitFor(pause: () => void): void {
    while (!this.isRaised()) pause()
  }
}

export interface IdleLimits {
  /** Looks without work before the thread sleeps. */
  readonly looksMax: number
  /** Longest sleep: bounds how late a stop flag is seen and how old a heartbeat grows. */
  readonly sleepMillisMax: number
}

// Node has no sched_yield: `yield` gives its core back for about a timer slack (50 microseconds)
// instead.
export const idleLimits: Readonly<Record<IdleStrategy, IdleLimits>> = {
  spin: { looksMax: Number.POSITIVE_INFINITY, sleepMillisMax: 0 },
  yield: { looksMax: 100, sleepMillisMax: 0.05 },
  park: { looksMax: 2, sleepMillisMax: 50 },
}

/** A busy thread beats once in so many turns: the clock is read off the path of most work. */
const turnsPerBeat = 64

/**
 * Turns `duty` until `stop` is raised: work as long as there is some, then rest as `idle` says.
 * @param beat called regularly, also while idle, for the heartbeat that health checks read.
 * @param sleepMillisMax shorter sleeps for a duty that watches what nobody rings for; with `spin` unused.
 * @throws whatever the duty throws, after `onClose`: a duty that fails does not go on.
 */
export function runDuty(
  duty: Duty,
  idle: IdleStrategy,
  doorbell: Doorbell,
  stop: Pick<StopFlag, 'isRaised'>,
  beat: () => void = noBeat,
  sleepMillisMax: number = idleLimits[idle].sleepMillisMax,
): void {
  const looksMax = idleLimits[idle].looksMax
  let looks = 0
  let turns = 0
  duty.onStart()
  try {
    while (!stop.isRaised()) {
      if ((turns++ & (turnsPerBeat - 1)) === 0) beat()
      if (duty.doWork() > 0) {
        looks = 0
      } else if (++looks >= looksMax) {
        beat()
        sleep(duty, doorbell, stop, sleepMillisMax)
        looks = 0
      }
    }
  } finally {
    duty.onClose()
  }
}

// A producer may commit between our last look and the sleep. It stores its record first and looks
// at the doorbell second; we arm first and look second. So one of the two sees the other, and
// nothing is slept over. The same holds for whoever raises the stop flag and then rings.
function sleep(
  duty: Duty,
  doorbell: Doorbell,
  stop: Pick<StopFlag, 'isRaised'>,
  sleepMillisMax: number,
): void {
  doorbell.arm()
  if (duty.doWork() > 0 || stop.isRaised()) {
    doorbell.disarm()
    return
  }
  const untilMillis = duty.untilDeadlineMillis?.() ?? 0
  doorbell.wait(untilMillis > 0 ? Math.min(untilMillis, sleepMillisMax) : sleepMillisMax)
}

function noBeat(): void {}
