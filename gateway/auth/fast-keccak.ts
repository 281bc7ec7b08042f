import { createKeccak } from 'hash-wasm'
import { type Keccak, useKeccak } from './keccak.js'
import { keccak256Reference } from './keccak-reference.js'

// One WebAssembly instance per thread. Compiling it is asynchronous, so a module that imports this
// one waits for it once, at load; every hash is synchronous from then on. A Node that is started without WebAssembly
// hashes by the reference: the recovery of signers, which lacks it as well, says so.
const hasher = 'WebAssembly' in globalThis ? await createKeccak(256) : null

/**
 * Keccak-256 in WebAssembly, several times as fast as the reference: the one for everything that is
 * served. What takes it from `keccak.ts` in a thread that has loaded this module has it, too.
 */
export const fastKeccak256: Keccak =
  hasher === null
    ? keccak256Reference
    : (data) => {
        hasher.init()
        hasher.update(data)
        return hasher.digest('binary')
      }

useKeccak(fastKeccak256)
