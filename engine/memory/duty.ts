import type { IdleStrategy, Wakeup } from './wakeup.js'

/**
 * Work of one thread as a state machine. The thread's loop (`runDuty`), a test or the simulator calls it. It is not
 * called an agent, because an agent is an approved signer.
 */
export interface Duty {
  readonly role: string
  onStart(): void
  /** Does one bounded piece of work. @returns the amount of work; 0 lets the idle strategy wait. */
  doWork(): number
  /**
   * Returns the milliseconds to the next deadline; 0 or less if the loop need not wake for it. Only a duty with
   * deadlines has it.
   */
  untilDeadlineMillis?(): number
  onClose(): void
}

/** Shared word that ends a loop. A thread that raises it must also wake the loop's thread. */
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

  /** Returns when the flag is raised. @param pause waits a short time. */
  waitFor(pause: () => void): void {
    while (!this.isRaised()) pause()
  }
}

export interface IdleLimits {
  /** Number of turns without work before the thread sleeps. */
  readonly looksMax: number
  /** Longest sleep: bounds the delay of a stop flag and the age of a heartbeat. */
  readonly sleepMillisMax: number
}

// Node has no sched_yield. Instead, `yield` releases its core for about a timer slack (50 microseconds).
export const idleLimits: Readonly<Record<IdleStrategy, IdleLimits>> = {
  spin: { looksMax: Number.POSITIVE_INFINITY, sleepMillisMax: 0 },
  yield: { looksMax: 100, sleepMillisMax: 0.05 },
  park: { looksMax: 2, sleepMillisMax: 50 },
}

/** A busy thread records a heartbeat once per this many turns, so that most turns read no clock. */
const turnsPerBeat = 64

/**
 * Runs `duty` until `stop` is raised: works while there is work, then rests as `idle` defines.
 * @param beat called regularly, also while idle, for the heartbeat that health checks read.
 * @param sleepMillisMax shorter sleeps for a duty that polls inputs without wakeups; unused with `spin`.
 * @throws any error of the duty, after `onClose`: a duty that fails does not continue.
 */
export function runDuty(
  duty: Duty,
  idle: IdleStrategy,
  wakeup: Wakeup,
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
        sleep(duty, wakeup, stop, sleepMillisMax)
        looks = 0
      }
    }
  } finally {
    duty.onClose()
  }
}

// A producer may commit between our last check and the sleep. It stores its record first and reads the wakeup word second;
// we arm first and check second. So one of the two sees the other, and no record is missed. The same holds for a thread
// that raises the stop flag and then rings.
function sleep(
  duty: Duty,
  wakeup: Wakeup,
  stop: Pick<StopFlag, 'isRaised'>,
  sleepMillisMax: number,
): void {
  wakeup.arm()
  if (duty.doWork() > 0 || stop.isRaised()) {
    wakeup.disarm()
    return
  }
  const untilMillis = duty.untilDeadlineMillis?.() ?? 0
  wakeup.wait(untilMillis > 0 ? Math.min(untilMillis, sleepMillisMax) : sleepMillisMax)
}

function noBeat(): void {}
