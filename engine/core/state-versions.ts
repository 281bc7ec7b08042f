import { assert } from '../../schemas/assert.js'
import { snapshotFormatVersion } from '../journal/snapshot-store.js'
import type { StateReader } from '../memory/state-codec.js'
import { type HashLanes, hashVersion } from '../memory/state-hash.js'
import type { CoreState } from '../state/core-state.js'
import { hashOfVersion1 } from '../state/hash-version-1.js'
import { loadState } from '../state/state-snapshot.js'

/** How a state is read from a snapshot of each format. */
const loads: Readonly<Record<number, typeof loadState>> = { [snapshotFormatVersion]: loadState }

/** How an earlier version of the hash is made, from all of a state. */
const earlierHashes: Readonly<Record<number, (state: CoreState) => HashLanes>> = {
  1: hashOfVersion1,
}

/** Brings a snapshot of any format that is known into an empty state. */
export function loadStateOf(state: CoreState, reader: StateReader, formatVersion: number): void {
  const load = loads[formatVersion]
  assert(load !== undefined, 'snapshot: a known version has a known format')
  load(state, reader)
}

/** The hash of a state as any version makes it: the live one is at hand. */
export function stateHashOf(state: CoreState, version: number): HashLanes {
  if (version === hashVersion) return state.hash
  const hashOf = earlierHashes[version]
  assert(hashOf !== undefined, 'state hash: a known engine has a known hash')
  return hashOf(state)
}
