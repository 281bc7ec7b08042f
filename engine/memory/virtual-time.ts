import { waitAsync } from './wait-async.js'

//  0      8         16         24      28      32       40
//  +------+---------+----------+-------+-------+--------+
//  | now  | target  | step max | asked | rested| joined |
//  +------+---------+----------+-------+-------+--------+
// `now` and `rested` are the core's to write, `joined` is added to by whoever sends commands and taken from by the core,
// the others are written by the one who passes time. Float64 as in counters: an aligned store is one store.
const nowAt = 0
const targetAt = 1
const stepAt = 2
const askedAt = 6
const restedAt = 7
const joinedAt = 8
const bytes = 40
const waitMillis = 100

/** @param startMillis since 1970. @param stepMillis the most that passes before the core looks at everything. */
export function allocateVirtualTime(startMillis: number, stepMillis: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes)
  const times = new Float64Array(memory)
  times[nowAt] = startMillis
  times[targetAt] = startMillis
  times[stepAt] = stepMillis
  return memory
}

/**
 * Time of a venue that passes only when it is told to: one for all threads, milliseconds since 1970. Somebody names the
 * time to be; the core goes there from deadline to deadline, each of them at its own time, and says when all that was
 * due is done.
 */
export class VirtualTime {
  readonly #times: Float64Array
  readonly #words: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.#times = new Float64Array(memory)
    this.#words = new Int32Array(memory)
  }

  readonly now = (): number => this.#times[nowAt]

  /**
   * Whoever passes time: asks for this time, or, by default, for all that is due now. The core is to be rung behind it.
   * @param stepMillis the most that passes on the way before the core looks at everything; default as before.
   * @returns the request, to be awaited.
   */
  ask(targetMillis = this.#times[targetAt], stepMillis = this.#times[stepAt]): number {
    this.#times[stepAt] = stepMillis
    this.#times[targetAt] = targetMillis
    return Atomics.add(this.#words, askedAt, 1) + 1
  }

  /** Comes when the core has done what was asked; at the latest after a moment. Keeps no process alive. @returns whether it has. */
  async rested(request: number): Promise<boolean> {
    const last = Atomics.load(this.#words, restedAt)
    if (last !== request) await waitAsync(this.#words, restedAt, last, waitMillis)
    return Atomics.load(this.#words, restedAt) === request
  }

  /**
   * Whoever sends commands that belong into one batch, before the core can see the first of them, and only if it can see
   * all of them at once.
   */
  join(commands: number): void {
    Atomics.add(this.#words, joinedAt, commands)
  }

  /**
   * Core, behind a command that it has read: whether the next one comes into the same batch. Without `join` there is one
   * a batch, so that what happens depends on their order alone, and not on when they come.
   * @param taken commands of this batch so far.
   */
  goesOn(taken: number): boolean {
    return taken < Atomics.load(this.#words, joinedAt)
  }

  /** Core: a batch has taken so many. What belongs together and found no room in it is in the next. */
  took(commands: number): void {
    const joined = Atomics.load(this.#words, joinedAt)
    if (joined > 0) Atomics.sub(this.#words, joinedAt, Math.min(commands, joined))
  }

  /** Core: time goes no further back than what it has recovered. */
  begin(recoveredMillis: number): void {
    const startMillis = Math.max(this.#times[nowAt], recoveredMillis)
    this.#times[nowAt] = startMillis
    this.#times[targetAt] = startMillis
  }

  /**
   * Core, when it has done nothing: lets time pass to its next deadline, at most to the time that is asked for; or says,
   * where that is reached, that it rests. What is due and has found no room is waited for.
   * @returns whether time has passed.
   */
  pass(nextDeadlineMillis: number): boolean {
    // The request first: a time that is asked for with a later one is reached by the turn after.
    const request = Atomics.load(this.#words, askedAt)
    const now = this.#times[nowAt]
    if (nextDeadlineMillis <= now) return false
    const target = this.#times[targetAt]
    if (now < target) {
      this.#times[nowAt] = Math.min(target, now + this.#times[stepAt], nextDeadlineMillis)
      return true
    }
    if (Atomics.load(this.#words, restedAt) === request) return false
    Atomics.store(this.#words, restedAt, request)
    Atomics.notify(this.#words, restedAt)
    return false
  }
}
