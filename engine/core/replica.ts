import { assert } from '../../schemas/assert.js'
import { matcherRingBytes, snapshotBytesReserved } from '../../schemas/bounds.js'
import type { BatchView } from '../journal/segment-reader.js'
import { snapshotFormatVersion } from '../journal/snapshot-store.js'
import type { Replica } from '../journal/snapshotter.js'
import { Matcher } from '../matching/matcher.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { StateReader, StateWriter } from '../memory/state-codec.js'
import type { HashLanes } from '../memory/state-hash.js'
import { CoreState } from '../state/core-state.js'
import { engineVersion } from '../state/engine-version.js'
import { EventSink } from '../state/event-sink.js'
import type { EngineConfig } from '../state/market/engine-config.js'
import { MatcherLinks } from '../state/matcher-links.js'
import { loadState, saveState } from '../state/snapshot/state-snapshot.js'
import { Core } from './core.js'

/** Reference to a core for the callbacks of in-thread matchers, which are built before it. */
export interface CoreRef {
  core: Core | null
  /** Set by `linkOwnMatchers`, for code that reads their books. */
  matchers?: readonly Matcher[]
}

/**
 * Links to matchers in the caller's thread, one per pair of rings. Without rings: one matcher with rings of its own.
 */
export function linkOwnMatchers(
  ref: CoreRef,
  orderRings: readonly SharedArrayBuffer[] = [allocateRing(matcherRingBytes)],
  resultRings: readonly SharedArrayBuffer[] = [allocateRing(matcherRingBytes)],
): MatcherLinks {
  const drain = () => ref.core?.drainResults()
  const matchers = orderRings.map(
    (ring, i) =>
      new Matcher(new Ring(ring, 'consumer'), new Ring(resultRings[i], 'producer'), drain),
  )
  ref.matchers = matchers
  const isRunning = new Uint8Array(matchers.length)
  return new MatcherLinks(
    orderRings.map((ring) => new Ring(ring, 'producer')),
    resultRings.map((ring) => new Ring(ring, 'consumer')),
    () => {},
    (index) => {
      // Called again while the matcher waits, in the middle of a command, for room in its result ring.
      if (isRunning[index] === 1) return
      isRunning[index] = 1
      matchers[index].doWork()
      isRunning[index] = 0
    },
  )
}

/** Core that replays: the live one during recovery, or a replica. */
export class CoreReplay implements Replica {
  protected core: Core
  /** Reused: megabytes released at every snapshot would stay resident in a thread that sleeps. */
  protected readonly writer = new StateWriter()
  readonly #hash = { low: 0, high: 0 }

  constructor(core: Core) {
    this.core = core
  }

  get state(): CoreState {
    return this.core.state
  }

  get batchNumber(): number {
    return this.state.batchNumber
  }

  get seq(): number {
    return this.state.sink.seq
  }

  load(state: Uint8Array, formatVersion: number = snapshotFormatVersion): void {
    loadState(this.state, new StateReader(state), formatVersion)
  }

  applyBatch(batch: BatchView): void {
    replayBatch(this.core, batch)
  }

  stateHash(): HashLanes {
    const { low, high } = this.state.hash
    this.#hash.low = low
    this.#hash.high = high
    return this.#hash
  }

  save(): Uint8Array {
    this.writer.clear()
    saveState(this.state, this.writer)
    return this.writer.result()
  }
}

/** Second engine that only replays, for writing snapshots. It publishes nothing. */
export class CoreReplica extends CoreReplay {
  /** Matchers of the current core. */
  matchers: readonly Matcher[]
  readonly #newCore: () => SilentCore

  /**
   * @param config of the empty engine; a snapshot and the journal bring their own.
   * @param ringBytes size of each ring to and from its matcher.
   */
  constructor(config: EngineConfig, ringBytes: number = matcherRingBytes) {
    const newCore = () => silentCore(config, ringBytes)
    const { core, matchers } = newCore()
    super(core)
    this.matchers = matchers
    this.#newCore = newCore
  }

  override load(state: Uint8Array, formatVersion?: number): void {
    const { core, matchers } = this.#newCore()
    this.core = core
    this.matchers = matchers
    super.load(state, formatVersion)
  }

  /** Allocates at once the memory that ended orders and their snapshots fill over time. */
  reserve(): void {
    this.state.reserve()
    this.writer.reserve(snapshotBytesReserved)
  }
}

interface SilentCore {
  readonly core: Core
  readonly matchers: readonly Matcher[]
}

/** Builds a core with its own matchers that only replays. */
export function silentCore(config: EngineConfig, ringBytes: number, matchers = 1): SilentCore {
  const ref: CoreRef = { core: null }
  const rings = () => Array.from({ length: matchers }, () => allocateRing(ringBytes))
  const state = new CoreState(config, new EventSink(null), linkOwnMatchers(ref, rings(), rings()))
  ref.core = new Core(state, [], null, () => {})
  return { core: ref.core, matchers: ref.matchers ?? [] }
}

/** Replays one journaled batch into a core, by the rules of the engine version that journaled it. */
export function replayBatch(core: Core, batch: BatchView): void {
  core.state.rulesVersion = batch.engineVersion
  core.replay(batch.timeMillis, batch, batch.commandsAt, batch.commandsAt + batch.commandBytes)
  const { batchNumber } = core.state
  assert(batchNumber === batch.batchNumber, 'replay: batch numbers are consecutive')
  core.state.rulesVersion = engineVersion
}
