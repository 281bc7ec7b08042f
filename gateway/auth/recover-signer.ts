import { assert } from '../../schemas/assert.js'
import { isSignatureSound, recoveryBit, recoveryByteAt } from '../../schemas/signing/signature.js'
import { digestBytes } from '../../schemas/signing/typed-data-digest.js'
import { addressBytes } from '../../schemas/wallet.js'
import { fastKeccak256 } from './fast-keccak.js'
import { nativeSecp256k1 } from './native-secp256k1.js'
import type { RecoveryPath } from './recovery-path.js'

const compactBytes = 64
const publicKeyBytes = 65 // 0x04 ‖ x ‖ y
const addressOffset = 32 - addressBytes

/** Recovery path of this process, logged at start. */
export const recoveryPath: RecoveryPath = nativeSecp256k1 === null ? 'wasm' : 'native'

// Loaded only if the native library is missing.
const recoverInstead =
  nativeSecp256k1 === null ? (await import('./recover-signer-wasm.js')).recoverSignerWasm : null

// One set per thread: each thread loads the module once, and recovery is synchronous.
const compact = new Uint8Array(compactBytes)
const publicKey = new Uint8Array(publicKeyBytes)
const publicKeyPoint = publicKey.subarray(1)

/**
 * Recovers the address that signed a digest, with the code that `recoveryPath` names.
 * @param digest 32 bytes; not retained.
 * @param signature r ‖ s ‖ v, v 27, 28, 0 or 1, s in the lower half of the curve order; any length.
 * @param out Receives the 20-byte address; unchanged unless the result is true.
 * @returns False for `signature_verification_failed` (HTTP 400).
 * @throws Never for an invalid signature. A digest of another length is the caller's bug and asserts.
 */
export function recoverSigner(digest: Uint8Array, signature: Uint8Array, out: Uint8Array): boolean {
  if (recoverInstead !== null) return recoverInstead(digest, signature, out)
  assert(digest.length === digestBytes, 'recover signer: a digest has 32 bytes')
  if (!isSignatureSound(signature)) return false
  for (let i = 0; i < compactBytes; i++) compact[i] = signature[i]
  const bit = recoveryBit(signature[recoveryByteAt])
  try {
    nativeSecp256k1!.ecdsaRecover(compact, bit, digest, false, publicKey)
  } catch {
    return false // r is not a point of the curve, or the key is the point at infinity
  }
  const hash = fastKeccak256(publicKeyPoint)
  for (let i = 0; i < addressBytes; i++) out[i] = hash[addressOffset + i]
  return true
}
