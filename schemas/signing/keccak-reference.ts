import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Keccak } from './keccak.js'

/** Keccak-256 in plain JavaScript: the reference for tests. */
export const keccak256Reference: Keccak = (data) => keccak_256(data)
