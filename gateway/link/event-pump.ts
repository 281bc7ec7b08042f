import { setImmediate } from 'node:timers'
import type { Doorbell, IdleStrategy } from '../../engine/memory/doorbell.js'
import type { EventLogReader } from '../../engine/memory/event-log.js'
import { AnyEvent } from '../../schemas/generated/events.js'

/** What the pump feeds. Events are read during the call and never kept. */
export interface EventSink {
  onEvent(event: AnyEvent): void
  /**
   * A run of events is over and known to be whole: what it led to may leave the thread now.
   * @param isStepComplete false when the run ended inside an engine step, that is between two events of
   * what may be one command.
   */
  onRunEnd(isStepComplete: boolean): void
  /** The log has overwritten events that this thread has not read: nothing it knows is right any more. */
  onLapped(): void
}

/** Another input of the same thread, served in turn with the event log. */
export interface SideInput {
  hasNext(): boolean
  take(): number
}

const eventsPerRunMax = 256
// When sockets bring much in one turn, one run a turn would fall behind the log for good.
const runsMillisMax = 10
const parkMillisMax = 1000

/**
 * Follows the event log inside a thread that also owns sockets: a bounded run of events, then a turn of the
 * event loop. Without work it sleeps in the event loop until its doorbell rings.
 */
export class EventPump {
  readonly #log: EventLogReader
  readonly #event = new AnyEvent()
  readonly #bell: Doorbell
  readonly #sink: EventSink
  readonly #side: SideInput
  readonly #mayPark: boolean
  /** Something came over the sockets since the last look: more of it may be there already. */
  #isPoked = false
  #isAsleep = false
  /** A promise of being rung is under way; of an earlier sleep, too, as it cannot be taken back. */
  #isPromised = false
  #lastSeq = 0
  #eventsRead = 0
  #isStopped = false

  constructor(
    log: EventLogReader,
    bell: Doorbell,
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

  /** Whether everything that is open to readers has been read. */
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

  /** Goes on where the log was left, after `onLapped`. @param seq of what is known by then. */
  resume(seq: number): void {
    this.#lastSeq = seq
    this.#isStopped = false
    setImmediate(this.#loop)
  }

  /** Requests came in: looks for their answers from the next turn on. */
  poke(): void {
    this.#isPoked = true
    if (!this.#isAsleep) return
    this.#isAsleep = false
    this.#bell.disarm()
    setImmediate(this.#loop)
  }

  /**
   * One run: up to `eventsPerRunMax` events. Nothing that they led to may leave before the log is known not to
   * have overwritten them meanwhile, so everybody keeps it until `onRunEnd`.
   * @returns how many events and replies were taken.
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

  /** Runs until all is read that was open when it began; more than the log holds there cannot be. */
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
      // An overwritten record may hold anything; a whole one that is wrong is a bug.
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

  /** Runs until nothing is left, but not longer than a turn may wait for it. */
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
    // A record from between our last look and `arm` rang nobody: look once more.
    this.#isAsleep = !this.#hasWork() && this.#promisesWake()
    if (this.#isAsleep) return
    this.#bell.disarm()
    setImmediate(this.#loop)
  }

  /** Has the armed bell wake this thread. @returns false when it was rung already. */
  #promisesWake(): boolean {
    if (this.#isPromised) return true
    const rung = this.#bell.waitAsync(parkMillisMax)
    if (rung === null) return false
    this.#isPromised = true
    rung.then(this.#wake)
    return true
  }

  #hasWork(): boolean {
    return this.#log.hasNext() || this.#side.hasNext() || this.#isStopped
  }

  readonly #wake = (): void => {
    this.#isPromised = false
    if (!this.#isAsleep) return
    this.#isAsleep = false
    this.#bell.disarm()
    this.#loop()
  }
}
