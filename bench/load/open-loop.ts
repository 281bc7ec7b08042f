import { LatencyHistogram } from './latency-histogram.js'

export interface OpenLoopOptions {
  /** When to send each command, milliseconds from the start, never falling (`planSends`). */
  readonly plannedMillis: Float64Array
  /** Sends the command with this place in the plan. */
  readonly send: (index: number) => void
  /**
   * How long before a planned time the sender stops sleeping and spins on the event loop; default
   * 2. Timers are a millisecond coarse: with 0 the sends of a millisecond go together, and a
   * core is left to the venue.
   */
  readonly spinMillis?: number
  /**
   * Where the sender would spin, its whole thread naps so long between two looks at its sockets; at
   * least the machine's timer slack. It leaves a core to the venue, and counts answers as much
   * later; default 0, no nap.
   */
  readonly parkMillis?: number
}

const spinMillisDefault = 2
// A sender that is late sends without end; answers have to be read in between.
const sendsPerTurnMax = 64

/**
 * Sends at planned times, however slowly the answers come, and counts latencies from the planned
 * time: what waits behind a slow answer is charged to it, not forgotten. A sender that falls
 * behind sends late and skips nothing; `lateness` tells by how much, so that a figure that is
 * the client's own can be seen.
 */
export class OpenLoop {
  /** Latencies of everything answered, from the planned time. */
  readonly latencies = new LatencyHistogram()
  /** Time of sending less planned time. */
  readonly lateness = new LatencyHistogram()
  /** Sends done; the next has this place in the plan. */
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

  /** Sends the whole plan. @returns when the last command was sent; answers may be missing still. */
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

  /** Ends the run where it is. */
  stop(): void {
    this.#isStopped = true
  }

  /**
   * The command with this place in the plan was answered now.
   * @returns its latency from the planned time, in milliseconds, which is recorded too.
   */
  answered(index: number): number {
    const millis = this.latencyMillis(index)
    this.latencies.record(millis)
    return millis
  }

  /** Milliseconds since the planned time of the command with this place in the plan. */
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
