import { Core } from '../core/core.js'
import { type CoreRef, linkOwnMatchers } from '../core/replica.js'
import { allocateRing } from '../memory/ring.js'
import { CoreState } from '../state/core-state.js'
import type { EngineConfig } from '../state/engine-config.js'
import { EventSink } from '../state/event-sink.js'

const ringBytes = 1 << 15

/** A core that only replays, over any number of matchers, and tells nobody anything. */
export function replayCore(config: EngineConfig, matchers: number): Core {
  const ref: CoreRef = { core: null }
  const rings = () => Array.from({ length: matchers }, () => allocateRing(ringBytes))
  const links = linkOwnMatchers(ref, rings(), rings())
  const state = new CoreState(config, new EventSink(null), links)
  ref.core = new Core(state, [], null, () => {})
  return ref.core
}
