import { keccak256Reference } from './keccak-reference.js'

/** Keccak-256 of the bytes, in 32 fresh ones; the argument is read, never kept. */
export type Keccak = (data: Uint8Array) => Uint8Array

let inUse: Keccak = keccak256Reference

/**
 * Keccak-256 of whichever kind the thread has: plain JavaScript, which runs wherever a client does and is there at once,
 * unless `fast-keccak.ts` has been loaded.
 */
export const keccak256: Keccak = (data) => inUse(data)

/** Has all of the thread hash by this one from now on. */
export function useKeccak(keccak: Keccak): void {
  inUse = keccak
}
