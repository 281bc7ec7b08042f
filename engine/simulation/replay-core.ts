import { Core } from '../core/core.js'
import { CoreState } from '../core/core-state.js'
import type { EngineConfig } from '../core/engine-config.js'
import { EventSink } from '../core/event-sink.js'
import { type CoreRef, linkOwnMatchers } from '../core/replica.js'
import { allocateRing } from '../memory/ring.js'

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
