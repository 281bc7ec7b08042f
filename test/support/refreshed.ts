import type { HashLanes, StateHash } from '../../engine/memory/state-hash.js'

/** Returns the hash of the state after the latest batch. */
export function refreshed(hash: StateHash): HashLanes {
  hash.refresh()
  return { low: hash.low, high: hash.high }
}
