import type { HashLanes, StateHash } from '../../engine/memory/state-hash.js'

/** The hash of what stands now, as at the border of a batch. */
export function refreshed(hash: StateHash): HashLanes {
  hash.refresh()
  return { low: hash.low, high: hash.high }
}
