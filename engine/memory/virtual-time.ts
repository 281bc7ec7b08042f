import { waitAsync } from './wait-async.js'

//  0      8         16         24      28      32       40
//  +------+---------+----------+-------+-------+--------+
//  | now  | target  | step max | asked | rested| joined |
//  +------+---------+----------+-------+-------+--------+
// The core writes `now` and `rested`. Senders of commands add to `joined` and the core subtracts from it. The driver of
// the time writes the others. Float64 as in counters: an aligned store is one store.
const nowAt = 0
const targetAt = 1
const stepAt = 2
const askedAt = 6
const restedAt = 7
const joinedAt = 8
const bytes = 40
const waitMillis = 100

/**
 * Allocates the shared memory. @param startMillis since 1970. @param stepMillis maximum step before the core checks all
 * deadlines.
 */
export function allocateVirtualTime(startMillis: number, stepMillis: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes)
  const times = new Float64Array(memory)
  times[nowAt] = startMillis
  times[targetAt] = startMillis
  times[stepAt] = stepMillis
  return memory
}

/**
 * Time that advances only on request, shared by all threads, in milliseconds since 1970. A driver requests a target
 * time. The core advances from deadline to deadline, handles each at its own time, and reports when everything due is
 * done.
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
   * Driver: requests a target time, by default the current target, to do all that is due. The caller then rings the
   * core.
   * @param stepMillis maximum step before the core checks all deadlines; default as before.
   * @returns the request, to await with `rested`.
   */
  ask(targetMillis = this.#times[targetAt], stepMillis = this.#times[stepAt]): number {
    this.#times[stepAt] = stepMillis
    this.#times[targetAt] = targetMillis
    return Atomics.add(this.#words, askedAt, 1) + 1
  }

  /**
   * Driver: waits a short time for the core to complete a request. Keeps no process alive. @returns true if it is
   * complete.
   */
  async rested(request: number): Promise<boolean> {
    const last = Atomics.load(this.#words, restedAt)
    if (last !== request) await waitAsync(this.#words, restedAt, last, waitMillis)
    return Atomics.load(this.#words, restedAt) === request
  }

  /**
   * Sender: declares commands that belong in one batch. Call it before the core can see the first of them, and only if
   * they become visible all at once.
   */
  join(commands: number): void {
    Atomics.add(this.#words, joinedAt, commands)
  }

  /**
   * Core, after reading a command: returns true if the next one belongs to the same batch. Without `join`, each batch
   * has one command, so that results depend only on the order of commands and not on their timing.
   * @param taken commands of this batch so far.
   */
  continues(taken: number): boolean {
    return taken < Atomics.load(this.#words, joinedAt)
  }

  /** Core: records the number of commands of a batch. Joined commands that did not fit are in the next batch. */
  took(commands: number): void {
    const joined = Atomics.load(this.#words, joinedAt)
    if (joined > 0) Atomics.sub(this.#words, joinedAt, Math.min(commands, joined))
  }

  /** Core: starts at the recovered time if that is later. */
  begin(recoveredMillis: number): void {
    const startMillis = Math.max(this.#times[nowAt], recoveredMillis)
    this.#times[nowAt] = startMillis
    this.#times[targetAt] = startMillis
  }

  /**
   * Core, after a turn without work: advances the time to the next deadline, at most to the target. At the target,
   * reports that it rests, unless something due still waits for space.
   * @returns true if the time advanced.
   */
  pass(nextDeadlineMillis: number): boolean {
    // Read the request first: a target that is stored with a later request is reached in the next turn.
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
