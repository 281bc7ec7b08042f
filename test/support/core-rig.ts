import type { BatchSink } from '../../engine/core/core.js'
import { Core } from '../../engine/core/core.js'
import { type CoreRef, linkOwnMatchers, replayBatch } from '../../engine/core/replica.js'
import type { Matcher } from '../../engine/matching/matcher.js'
import { allocateEventLog, EventLogReader, EventLogWriter } from '../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { StateReader, StateWriter } from '../../engine/memory/state-codec.js'
import { CoreState } from '../../engine/state/core-state.js'
import { EventSink } from '../../engine/state/event-sink.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { loadState, saveState } from '../../engine/state/snapshot/state-snapshot.js'
import { matcherRingBytes } from '../../schemas/bounds.js'
import { AnyEvent, EventType } from '../../schemas/generated/events.js'
import { batchOfRing, type RecordedBatch } from './recorded-batches.js'
import { RigCommands } from './rig-commands.js'
import { type RigEvent, rigEventOf } from './rig-event.js'

/** Sizes and parts of a rig, for tests that need it small or slow. */
export interface RigMemory {
  /** The rig reads the event log whenever the core waits for its reader. */
  readonly logBytes?: number
  /** Size of each ring to and from a matcher. */
  readonly ringBytes?: number
  /** True if batches become durable only when the core waits or the test reads events. */
  readonly slowDisk?: boolean
  /** Also receives every batch. */
  readonly journal?: BatchSink
}

/** Core with one in-thread matcher, driven by hand: its clock is a number, its journal a list. */
export class CoreRig extends RigCommands {
  readonly core: Core
  readonly state: CoreState
  /** Matchers, which run in the rig's thread. */
  readonly matchers: readonly Matcher[]
  readonly log: EventLogWriter
  readonly reader: EventLogReader
  readonly batches: RecordedBatch[] = []
  /** Number of times that the core waited for the reader of the event log. */
  pauses = 0
  #seen: RigEvent[] = []
  #flushed: number | null = null

  constructor(config: EngineConfig = engineConfigDefault, matchers = 1, options: RigMemory = {}) {
    const { logBytes = 1 << 26, ringBytes = matcherRingBytes, slowDisk = false, journal } = options
    const memory = allocateRing(1 << 22)
    super(new Ring(memory, 'producer'))
    const logMemory = allocateEventLog(logBytes)
    this.log = new EventLogWriter(logMemory, [0])
    this.reader = new EventLogReader(logMemory, 0)
    const ref: CoreRef = { core: null }
    this.state = new CoreState(
      config,
      new EventSink(this.log),
      linkOwnMatchers(ref, rings(matchers, ringBytes), rings(matchers, ringBytes)),
    )
    this.matchers = ref.matchers ?? []
    const sink: BatchSink = {
      hasRoom: () => true,
      append: (state, batch, end) => {
        journal?.append(state, batch, end)
        this.batches.push(batchOfRing(state, batch, end.hashLow, end.hashHigh))
        if (slowDisk) this.#flushed = end.eventEnd
        else this.log.storeDurable(end.eventEnd)
      },
    }
    this.core = new Core(this.state, [new Ring(memory, 'consumer')], sink, () => {
      this.pauses++
      this.#flush()
      this.#read()
    })
    ref.core = this.core
  }

  /** Lists the option, sets index and volatility, and funds wallets 1 to 4. */
  openMarket(index = 100_000, iv = 0.6): this {
    this.list()
    this.index(index)
    this.surface(iv)
    for (const wallet of [1, 2, 3, 4]) this.deposit(wallet, 1_000_000)
    this.run()
    this.events()
    return this
  }

  /** Runs batches until nothing is pending. */
  run(): this {
    while (this.step());
    return this
  }

  /**
   * Runs one batch.
   * @returns true if there was anything to do
   */
  step(): boolean {
    this.commands.commit()
    return this.core.doWork(this.nowMillis) > 0
  }

  /** Returns everything published since the last call. */
  events(): RigEvent[] {
    this.#flush()
    this.#read()
    const seen = this.#seen
    this.#seen = []
    return seen
  }

  /** Returns `events`, and passes each to another reader too. */
  eventsFor(take: (event: AnyEvent) => void): RigEvent[] {
    this.#flush()
    const event = new AnyEvent()
    const seen: RigEvent[] = []
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      seen.push(rigEventOf(this.reader, at))
      take(event.over(this.reader, at))
    }
    this.reader.release()
    return seen
  }

  /** Returns the core's whole state, as a snapshot stores it. */
  save(): Uint8Array {
    const writer = new StateWriter()
    saveState(this.state, writer)
    return writer.result().slice()
  }

  /** Loads a snapshot's state; only for a rig that has done nothing yet. */
  restore(saved: Uint8Array, formatVersion?: number): void {
    loadState(this.state, new StateReader(saved), formatVersion)
  }

  /** Replays a batch of another rig. */
  replay(batch: RecordedBatch): void {
    replayBatch(this.core, batch)
  }

  /** Completes the flush of a slow disk. */
  #flush(): void {
    if (this.#flushed !== null) this.log.storeDurable(this.#flushed)
    this.#flushed = null
  }

  #read(): void {
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      this.#seen.push(rigEventOf(this.reader, at))
    }
    this.reader.release()
  }

  /** Runs, and returns the acknowledgement of the request. */
  outcome(request: number): Readonly<Record<string, number>> {
    const found = this.run()
      .events()
      .find(({ type, fields }) => type === EventType.Outcome && fields['request'] === request)
    if (found === undefined) throw new Error(`no outcome for request ${request}`)
    return found.fields
  }
}

function rings(count: number, bytes: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, () => allocateRing(bytes))
}
