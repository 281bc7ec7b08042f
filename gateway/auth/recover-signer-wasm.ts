import { instantiateSecp256k1 } from '@bitauth/libauth'
import { assert } from '../../schemas/assert.js'
import { isSignatureSound, recoveryBit, recoveryByteAt } from '../../schemas/signing/signature.js'
import { digestBytes } from '../../schemas/signing/typed-data-digest.js'
import { addressBytes } from '../../schemas/wallet.js'
import { fastKeccak256 } from './fast-keccak.js'

// The same C library as the native addon, compiled to WebAssembly. Each thread has its own instance and memory.
const curve = await instantiateSecp256k1()

/** Has the same contract as `recoverSigner`, for platforms without a binary of the native addon. */
export function recoverSignerWasm(
  digest: Uint8Array,
  signature: Uint8Array,
  out: Uint8Array,
): boolean {
  assert(digest.length === digestBytes, 'recover signer: a digest has 32 bytes')
  if (!isSignatureSound(signature)) return false
  const compact = signature.subarray(0, recoveryByteAt)
  const bit = recoveryBit(signature[recoveryByteAt]) as 0 | 1
  const publicKey = curve.recoverPublicKeyUncompressed(compact, bit, digest)
  if (typeof publicKey === 'string') return false // r is not a point of the curve, or the key is the point at infinity
  const hash = fastKeccak256(publicKey.subarray(1))
  out.set(hash.subarray(hash.length - addressBytes))
  return true
}
