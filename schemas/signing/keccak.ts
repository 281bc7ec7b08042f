import { keccak256Reference } from './keccak-reference.js'

/** Hashes bytes with Keccak-256 into 32 fresh bytes; the argument is read, never kept. */
export type Keccak = (data: Uint8Array) => Uint8Array

let inUse: Keccak = keccak256Reference

/**
 * Keccak-256 with the implementation of the thread: plain JavaScript, which runs in every client and is available at
 * once, unless `fast-keccak.ts` was loaded.
 */
export const keccak256: Keccak = (data) => inUse(data)

/** Sets the implementation for the thread. */
export function useKeccak(keccak: Keccak): void {
  inUse = keccak
}
