import { matcherRingBytes } from '../../schemas/bounds.js'
import type { BatchView } from '../journal/segment-reader.js'
import type { Replica } from '../journal/snapshotter.js'
import { Matcher } from '../matching/matcher.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { Core } from './core.js'
import { CoreState } from './core-state.js'
import type { EngineConfig } from './engine-config.js'
import { EventSink } from './event-sink.js'
import { MatcherLinks } from './matcher-links.js'
import { StateReader, StateWriter } from './state-codec.js'
import { loadState, saveState } from './state-snapshot.js'

/** What gives the callbacks of in-thread matchers their core, which is built after them. */
export interface CoreRef {
  core: Core | null
}

/** Links to one matcher that runs in the caller's thread, over the given rings or rings of its own. */
export function linkOwnMatcher(
  ref: CoreRef,
  orderRing: SharedArrayBuffer = allocateRing(matcherRingBytes),
  resultRing: SharedArrayBuffer = allocateRing(matcherRingBytes),
): MatcherLinks {
  const matcher = new Matcher(
    new Ring(orderRing, 'consumer'),
    new Ring(resultRing, 'producer'),
    () => ref.core?.drainResults(),
  )
  const run = () => {
    matcher.doWork()
  }
  return new MatcherLinks(
    [new Ring(orderRing, 'producer')],
    [new Ring(resultRing, 'consumer')],
    () => {},
    run,
  )
}

/** A second engine that only replays: what snapshots are made by. It tells nobody anything. */
export class CoreReplica implements Replica {
  readonly #config: EngineConfig
  readonly #hash = { low: 0, high: 0 }
  #core: Core

  /** @param config of the empty engine; a snapshot and the journal bring their own. */
  constructor(config: EngineConfig) {
    this.#config = config
    this.#core = this.#newCore()
  }

  get batchNumber(): number {
    return this.#core.state.batchNumber
  }

  get state(): CoreState {
    return this.#core.state
  }

  load(state: Uint8Array): void {
    this.#core = this.#newCore()
    loadState(this.#core.state, new StateReader(state))
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
    const writer = new StateWriter()
    saveState(this.#core.state, writer)
    return writer.result()
  }

  #newCore(): Core {
    const ref: CoreRef = { core: null }
    const state = new CoreState(this.#config, new EventSink(null), linkOwnMatcher(ref))
    ref.core = new Core(state, [], null, () => {})
    return ref.core
  }
}

/** Replays one journaled batch into a core. */
export function replayBatch(core: Core, batch: BatchView): void {
  core.replay(batch.timeMillis, batch, batch.commandsAt, batch.commandsAt + batch.commandBytes)
}
