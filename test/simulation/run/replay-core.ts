import type { Core } from '../../../engine/core/core.js'
import { silentCore } from '../../../engine/core/replica.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'

const ringBytes = 1 << 15

/** A core that only replays, over any number of matchers, and tells nobody anything. */
export function replayCore(config: EngineConfig, matchers: number): Core {
  return silentCore(config, ringBytes, matchers).core
}
