import { assert } from '../../schemas/assert.js'
import { type HashLanes, hashVersion } from '../memory/state-hash.js'
import type { CoreState } from '../state/core-state.js'
import { hashOfVersion1 } from '../state/hash-version-1.js'

/** How an earlier version of the hash is made, from all of a state. */
const earlierHashes: Readonly<Record<number, (state: CoreState) => HashLanes>> = {
  1: hashOfVersion1,
}

/** The hash of a state as any version makes it: the live one is at hand. */
export function stateHashOf(state: CoreState, version: number): HashLanes {
  if (version === hashVersion) return state.hash
  const hashOf = earlierHashes[version]
  assert(hashOf !== undefined, 'state hash: a known engine has a known hash')
  return hashOf(state)
}
