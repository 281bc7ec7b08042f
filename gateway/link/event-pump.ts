import { setImmediate } from 'node:timers'
import type { EventLogReader } from '../../engine/memory/event-log.js'
import type { IdleStrategy, Wakeup } from '../../engine/memory/wakeup.js'
import { AnyEvent } from '../../schemas/generated/events.js'

/** Consumer of the pump. Events are valid during the call only. */
export interface EventSink {
  onEvent(event: AnyEvent): void
  /**
   * A run of events has ended and is known to be intact, so its effects may leave the thread now.
   * @param isStepComplete False if the run ended inside an engine step, between two events of what may be one command.
   */
  onRunEnd(isStepComplete: boolean): void
  /** The log has overwritten events that this thread has not read, so all its state is invalid. */
  onLapped(): void
}

/** Another input of the same thread, served alternately with the event log. */
export interface SideInput {
  hasNext(): boolean
  take(): number
}

const eventsPerRunMax = 256
// If sockets bring much in one turn, a single run per turn would fall behind the log permanently.
const runsMillisMax = 10
const parkMillisMax = 1000

/**
 * Follows the event log inside a thread that also owns sockets: a bounded run of events, then a turn of the event loop.
 * Without work it sleeps in the event loop until its wakeup.
 */
export class EventPump {
  readonly #log: EventLogReader
  readonly #event = new AnyEvent()
  readonly #bell: Wakeup
  readonly #sink: EventSink
  readonly #side: SideInput
  readonly #mayPark: boolean
  /** Set when socket input arrived since the last check: more of it may follow. */
  #isPoked = false
  #isAsleep = false
  /** An asynchronous wait is pending, maybe from an earlier sleep, since it cannot be cancelled. */
  #isWaiting = false
  #lastSeq = 0
  #eventsRead = 0
  #isStopped = false

  constructor(
    log: EventLogReader,
    bell: Wakeup,
    idle: IdleStrategy,
    sink: EventSink,
    side: SideInput,
  ) {
    this.#log = log
    this.#bell = bell
    this.#sink = sink
    this.#side = side
    this.#mayPark = idle === 'park'
  }

  /** Sequence of the latest event read. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** True if all published events have been read. */
  get isCaughtUp(): boolean {
    return !this.#log.hasNext()
  }

  /** Events read so far. */
  get eventsRead(): number {
    return this.#eventsRead
  }

  start(): void {
    setImmediate(this.#loop)
  }

  stop(): void {
    this.#isStopped = true
    this.#bell.ring()
  }

  /** Continues at the log's position after `onLapped`. @param seq Sequence of the restored state. */
  resume(seq: number): void {
    this.#lastSeq = seq
    this.#isStopped = false
    setImmediate(this.#loop)
  }

  /** Notes incoming requests: checks for their answers from the next turn on. */
  poke(): void {
    this.#isPoked = true
    if (!this.#isAsleep) return
    this.#isAsleep = false
    this.#bell.disarm()
    setImmediate(this.#loop)
  }

  /**
   * Processes one run of up to `eventsPerRunMax` events. Sinks hold the effects until `onRunEnd`, when the log is known
   * not to have overwritten the events during the run.
   * @returns Number of events and replies taken.
   */
  run(): number {
    const replies = this.#side.take()
    const count = this.#readEvents()
    if (count === 0) return replies
    this.#eventsRead += count
    const log = this.#log
    if (log.lapped()) {
      this.#isStopped = true
      this.#sink.onLapped()
      return count
    }
    log.release()
    this.#sink.onRunEnd(count < eventsPerRunMax || !log.hasNext())
    return count + replies
  }

  /** Runs until everything that was published at the start has been read. The log's size bounds the work. */
  catchUp(): void {
    const target = this.#log.durableOffset()
    while (!this.#isStopped && !this.#log.hasPassed(target)) this.run()
  }

  #readEvents(): number {
    const log = this.#log
    const event = this.#event
    let count = 0
    try {
      while (count < eventsPerRunMax) {
        const at = log.next()
        if (at < 0) break
        count++
        this.#lastSeq = event.over(log, at).seq
        this.#sink.onEvent(event)
      }
    } catch (error) {
      // An overwritten record may contain anything. An intact record that throws is a bug.
      if (!log.lapped()) throw error
    }
    return count
  }

  readonly #loop = (): void => {
    if (this.#isStopped) return
    const isIdle = this.#runAll() === 0 && !this.#isPoked
    this.#isPoked = false
    if (this.#isStopped) return
    if (isIdle && this.#mayPark) this.#sleep()
    else setImmediate(this.#loop)
  }

  /** Runs until nothing is left, but at most for the time that a turn may wait. */
  #runAll(): number {
    const endMillis = performance.now() + runsMillisMax
    let count = this.run()
    while (count > 0 && this.#log.hasNext() && !this.#isStopped && performance.now() < endMillis) {
      count += this.run()
    }
    return count
  }

  #sleep(): void {
    this.#bell.arm()
    // A record written between the last check and `arm` woke nobody, so check again.
    this.#isAsleep = !this.#hasWork() && this.#waitAsync()
    if (this.#isAsleep) return
    this.#bell.disarm()
    setImmediate(this.#loop)
  }

  /** Waits asynchronously on the armed bell. @returns False if it was already rung. */
  #waitAsync(): boolean {
    if (this.#isWaiting) return true
    const rung = this.#bell.waitAsync(parkMillisMax)
    if (rung === null) return false
    this.#isWaiting = true
    rung.then(this.#wake)
    return true
  }

  #hasWork(): boolean {
    return this.#log.hasNext() || this.#side.hasNext() || this.#isStopped
  }

  readonly #wake = (): void => {
    this.#isWaiting = false
    if (!this.#isAsleep) return
    this.#isAsleep = false
    this.#bell.disarm()
    this.#loop()
  }
}
