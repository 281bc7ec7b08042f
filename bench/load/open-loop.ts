import { LatencyHistogram } from './latency-histogram.js'

export interface OpenLoopOptions {
  /** Sending time of each command in milliseconds from the start, ascending (`planSends`). */
  readonly plannedMillis: Float64Array
  /** Sends the command with this index in the plan. */
  readonly send: (index: number) => void
  /**
   * Time before a planned time at which the sender stops sleeping and spins on the event loop; default 2. Timers have a
   * resolution of a millisecond. With 0, the sends of a millisecond go together, and a core is left to the venue.
   */
  readonly spinMillis?: number
  /**
   * Time for which the whole thread parks between two polls of its sockets, instead of spinning; at least the machine's
   * timer slack. It leaves a core to the venue, but measures answers later by as much. Default 0, no parking.
   */
  readonly parkMillis?: number
}

const spinMillisDefault = 2
// Bounds the sends of a late sender, so that answers are read in between.
const sendsPerTurnMax = 64

/**
 * Sends at planned times, however slowly answers arrive, and measures latencies from the planned time. So the wait after
 * a slow answer counts (no coordinated omission). A late sender skips nothing. `lateness` records its delay, to recognize
 * figures that are the client's own.
 */
export class OpenLoop {
  /** Latencies of all answers, from the planned time. */
  readonly latencies = new LatencyHistogram()
  /** Sending time minus planned time. */
  readonly lateness = new LatencyHistogram()
  /** Number of sends so far, which is the index of the next. */
  sent = 0
  beginMillis = 0
  readonly #plannedMillis: Float64Array
  readonly #send: (index: number) => void
  readonly #spinMillis: number
  readonly #parkMillis: number
  readonly #parkWord = new Int32Array(new SharedArrayBuffer(4))
  #isStopped = false

  constructor(options: OpenLoopOptions) {
    this.#plannedMillis = options.plannedMillis
    this.#send = options.send
    this.#spinMillis = options.spinMillis ?? spinMillisDefault
    this.#parkMillis = options.parkMillis ?? 0
  }

  /** Sends the whole plan. Resolves when the last command is sent; answers may still be missing. */
  run(): Promise<void> {
    this.beginMillis = performance.now()
    return new Promise((resolve, reject) => {
      const turn = () => {
        try {
          this.#sendDue()
        } catch (failure) {
          reject(failure)
          return
        }
        if (this.sent === this.#plannedMillis.length || this.#isStopped) {
          resolve()
          return
        }
        const restMillis = this.beginMillis + this.#plannedMillis[this.sent] - performance.now()
        if (restMillis <= this.#spinMillis) {
          if (this.#parkMillis > 0 && restMillis > this.#parkMillis)
            Atomics.wait(this.#parkWord, 0, 0, this.#parkMillis)
          setImmediate(turn)
        } else setTimeout(turn, Math.floor(restMillis - this.#spinMillis))
      }
      turn()
    })
  }

  /** Ends the sending. */
  stop(): void {
    this.#isStopped = true
  }

  /**
   * Records the latency of a command that was answered now.
   * @returns its latency from the planned time in milliseconds.
   */
  answered(index: number): number {
    const millis = this.latencyMillis(index)
    this.latencies.record(millis)
    return millis
  }

  /** Returns the milliseconds since the planned time of a command. */
  latencyMillis(index: number): number {
    return performance.now() - this.beginMillis - this.#plannedMillis[index]
  }

  #sendDue(): void {
    const plannedMillis = this.#plannedMillis
    for (let turns = 0; turns < sendsPerTurnMax && this.sent < plannedMillis.length; turns++) {
      const lateMillis = performance.now() - this.beginMillis - plannedMillis[this.sent]
      if (lateMillis < 0) return
      this.lateness.record(lateMillis)
      this.#send(this.sent++)
    }
  }
}
