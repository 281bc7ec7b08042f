import { setTimeout as sleep } from 'node:timers/promises'
import { CounterName, Counters } from '../engine/memory/counters.js'
import { EventLogReader } from '../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  flagWords,
  logReaders,
  wakeupOf,
} from '../engine/memory/exchange-memory.js'
import { LogCursor } from '../engine/memory/log-cursor.js'
import { allocateVirtualTime, VirtualTime } from '../engine/memory/virtual-time.js'
import { Wakeup } from '../engine/memory/wakeup.js'
import type { FeedDriver } from './feeds/feed-driver.js'
import { type BatchHash, readBatchHash } from './operator/state-page.js'

/** Start of virtual time, which passes only by `advance`. */
export interface VirtualStart {
  readonly startMillis: number
  /** Maximum time between two checks of marks and margins, and between two steps of the feed. */
  readonly stepMillis: number
}

/**
 * Allocates virtual time; null if the venue uses the time of the machine.
 * @throws RangeError unless both values are whole milliseconds above 0.
 */
export function virtualMemoryOf(start: VirtualStart | undefined): SharedArrayBuffer | null {
  if (start === undefined) return null
  const { startMillis, stepMillis } = start
  if (![startMillis, stepMillis].every((millis) => Number.isSafeInteger(millis) && millis > 0)) {
    throw new RangeError(
      `virtual time starts and advances in whole milliseconds above 0: ${startMillis}, ${stepMillis}`,
    )
  }
  return allocateVirtualTime(startMillis, stepMillis)
}

/** @returns null if the venue uses the time of the machine. */
export function clockOf(
  start: VirtualStart | undefined,
  memory: ExchangeMemory,
  feed: FeedDriver | null,
): VenueClock | null {
  const { virtualTime } = memory
  if (start === undefined || virtualTime === null) return null
  return new VenueClock(memory, virtualTime, feed, start.stepMillis)
}

/** State of an idle venue. */
export interface VenueStanding extends BatchHash {
  /** Engine time, milliseconds since 1970. */
  readonly timeMillis: number
  /** Sequence of the latest event. */
  readonly seq: number
}

/** A thread without progress for this time has failed. */
const stillMillisMax = 60_000
const pollMillis = 1

/** Advances the clock of a venue with virtual time. */
export class VenueClock {
  readonly #time: VirtualTime
  readonly #feed: FeedDriver | null
  readonly #stepMillis: number
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #coreBell: Wakeup
  readonly #log: EventLogReader
  readonly #cursors: readonly LogCursor[]
  readonly #end = new AbortController()
  /** Never resolves; rejected when the venue stops. */
  readonly #ended: Promise<never>
  #underWay: Promise<unknown> = Promise.resolve()

  /** @param feed takes a step at each stop. Stops are at most `stepMillis` apart. */
  constructor(
    memory: ExchangeMemory,
    virtualTime: SharedArrayBuffer,
    feed: FeedDriver | null,
    stepMillis: number,
  ) {
    this.#ended = new Promise((_, reject) => {
      const { signal } = this.#end
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    this.#ended.catch(() => {}) // nobody may be waiting
    this.#time = new VirtualTime(virtualTime)
    this.#feed = feed
    this.#stepMillis = stepMillis
    this.#counters = new Counters(memory.counters, wakeupOf.operator)
    this.#flags = new Int32Array(memory.flags)
    this.#coreBell = new Wakeup(memory.wakeups, wakeupOf.core)
    this.#log = new EventLogReader(memory.eventLog, logReaders.operator)
    const gateways = Array.from({ length: memory.gateways }, (_, i) => logReaders.gateway(i))
    this.#cursors = [logReaders.readModel, logReaders.history, ...gateways].map(
      (reader) => new LogCursor(memory.eventLog, reader),
    )
  }

  get nowMillis(): number {
    return this.#time.now()
  }

  /**
   * Lets time pass. Everything that falls due happens at its own time. Resolves after all of it has happened and every
   * reader has read the events. Calls run one after the other.
   * @param stepMillis maximum time between two checks, and between two steps of the feed; default: that of the start.
   * @throws RangeError unless `millis` is a whole number, 0 or more, and time stays below 2^53. Error if the venue has
   * failed or stops.
   */
  advance(millis: number, stepMillis = this.#stepMillis): Promise<VenueStanding> {
    if (!(millis >= 0) || !Number.isSafeInteger(this.nowMillis + millis)) {
      throw new RangeError(`virtual time advances by whole milliseconds, at least 0: ${millis}`)
    }
    // After the stop, feed and core may never answer, so the call ends with the venue.
    const advanced = this.#underWay.then(() =>
      Promise.race([this.#advance(this.nowMillis + millis, stepMillis), this.#ended]),
    )
    this.#underWay = advanced.catch(() => {})
    return advanced
  }

  /** Stops the clock. Pending and later calls end with an Error. */
  stop(): void {
    this.#end.abort(new Error('the venue has stopped'))
  }

  async #advance(endMillis: number, stepMillis: number): Promise<VenueStanding> {
    this.#end.signal.throwIfAborted()
    if (this.#feed === null) await this.#passTo(endMillis, stepMillis)
    while (this.nowMillis < endMillis) {
      await this.#passTo(Math.min(endMillis, this.nowMillis + stepMillis), stepMillis)
      await this.#feed?.step()
    }
    await this.#passTo(endMillis, stepMillis)
    const offset = this.#log.headOffset()
    for (const cursor of this.#cursors) await this.#until(() => cursor.hasPassed(offset))
    const seq = this.#counters.read(wakeupOf.core, CounterName.Sequence)
    return { timeMillis: this.nowMillis, seq, ...readBatchHash(this.#counters) }
  }

  async #passTo(millis: number, stepMillis: number): Promise<void> {
    const request = this.#time.ask(millis, stepMillis)
    let seenMillis = this.nowMillis
    let stillSince = performance.now()
    do {
      // A long advance may take long. The wait ends only if time makes no progress.
      if (this.nowMillis !== seenMillis) {
        seenMillis = this.nowMillis
        stillSince = performance.now()
      }
      this.#check(stillSince)
      this.#coreBell.ring()
    } while (!(await this.#time.rested(request)))
  }

  async #until(holds: () => boolean): Promise<void> {
    const beginMillis = performance.now()
    while (!holds()) {
      this.#check(beginMillis)
      await sleep(pollMillis)
    }
  }

  /** @throws Error if the wait cannot succeed any more. */
  #check(sinceMillis: number): void {
    this.#end.signal.throwIfAborted()
    if (Atomics.load(this.#flags, flagWords.failed) === 1) throw new Error('the venue has failed')
    const isGone = performance.now() - sinceMillis > stillMillisMax
    if (isGone) throw new Error('the venue does not come to rest')
  }
}
