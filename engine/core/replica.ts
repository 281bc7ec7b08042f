import { matcherRingBytes, snapshotBytesReserved } from '../../schemas/bounds.js'
import type { BatchView } from '../journal/segment-reader.js'
import type { Replica } from '../journal/snapshotter.js'
import { Matcher } from '../matching/matcher.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { StateReader, StateWriter } from '../memory/state-codec.js'
import { CoreState } from '../state/core-state.js'
import type { EngineConfig } from '../state/engine-config.js'
import { EventSink } from '../state/event-sink.js'
import { MatcherLinks } from '../state/matcher-links.js'
import { loadState, saveState } from '../state/state-snapshot.js'
import { Core } from './core.js'

/** What gives the callbacks of in-thread matchers their core, which is built after them. */
export interface CoreRef {
  core: Core | null
}

/**
 * Links to matchers that run in the caller's thread, one per pair of rings; without any, to one matcher over
 * rings of its own.
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
  const isRunning = new Uint8Array(matchers.length)
  return new MatcherLinks(
    orderRings.map((ring) => new Ring(ring, 'producer')),
    resultRings.map((ring) => new Ring(ring, 'consumer')),
    () => {},
    (index) => {
      // Asked for again while it waits in the middle of a command for its results to be taken.
      if (isRunning[index] === 1) return
      isRunning[index] = 1
      matchers[index].doWork()
      isRunning[index] = 0
    },
  )
}

/** A second engine that only replays: what snapshots are made by. It tells nobody anything. */
export class CoreReplica implements Replica {
  readonly #config: EngineConfig
  readonly #ringBytes: number
  readonly #hash = { low: 0, high: 0 }
  /** Reused: megabytes let go at every snapshot would stay resident in a thread that rests. */
  readonly #writer = new StateWriter()
  #core: Core

  /**
   * @param config of the empty engine; a snapshot and the journal bring their own.
   * @param ringBytes of each ring to and from its matcher.
   */
  constructor(config: EngineConfig, ringBytes: number = matcherRingBytes) {
    this.#config = config
    this.#ringBytes = ringBytes
    this.#core = this.#newCore()
  }

  get batchNumber(): number {
    return this.#core.state.batchNumber
  }

  get seq(): number {
    return this.#core.state.sink.seq
  }

  get state(): CoreState {
    return this.#core.state
  }

  load(state: Uint8Array): void {
    this.#core = this.#newCore()
    loadState(this.#core.state, new StateReader(state))
  }

  /** Takes the memory at once that orders which have ended, and snapshots of them, fill by and by. */
  reserve(): void {
    this.#core.state.reserve()
    this.#writer.reserve(snapshotBytesReserved)
  }

  applyBatch(batch: BatchView): void {
    replayBatch(this.#core, batch)
  }

  stateHash(): { readonly low: number; readonly high: number } {
    this.#hash.low = this.#core.state.hash.low
    this.#hash.high = this.#core.state.hash.high
    return this.#hash
  }

  save(): Uint8Array {
    this.#writer.clear()
    saveState(this.#core.state, this.#writer)
    return this.#writer.result()
  }

  #newCore(): Core {
    const ref: CoreRef = { core: null }
    const rings = () => [allocateRing(this.#ringBytes)]
    const links = linkOwnMatchers(ref, rings(), rings())
    const state = new CoreState(this.#config, new EventSink(null), links)
    ref.core = new Core(state, [], null, () => {})
    return ref.core
  }
}

/** Replays one journaled batch into a core. */
export function replayBatch(core: Core, batch: BatchView): void {
  core.replay(batch.timeMillis, batch, batch.commandsAt, batch.commandsAt + batch.commandBytes)
}
