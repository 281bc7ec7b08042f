import type { Core } from '../../../engine/core/core.js'
import { silentCore } from '../../../engine/core/replica.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'

const ringBytes = 1 << 15

/** Returns a core that only replays, with any number of matchers, and publishes nothing. */
export function replayCore(config: EngineConfig, matchers: number): Core {
  return silentCore(config, ringBytes, matchers).core
}
