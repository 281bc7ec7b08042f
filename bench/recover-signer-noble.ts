import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../schemas/assert.js'
import { keccak256Reference } from '../schemas/signing/keccak-reference.js'
import { isSignatureSound, recoveryBit, recoveryByteAt } from '../schemas/signing/signature.js'
import { digestBytes } from '../schemas/signing/typed-data-digest.js'
import { addressBytes } from '../schemas/wallet.js'

/** Recovers a signer in plain JavaScript, with the contract of `recoverSigner`. Tests and a benchmark compare with it. */
export function recoverSignerNoble(
  digest: Uint8Array,
  signature: Uint8Array,
  out: Uint8Array,
): boolean {
  assert(digest.length === digestBytes, 'recover signer: a digest has 32 bytes')
  if (!isSignatureSound(signature)) return false
  // This library expects the recovery byte first. The top-level recovery would hash the digest again and compress the
  // key. The method of a signature does neither.
  const recovered = new Uint8Array(signature.length)
  recovered[0] = recoveryBit(signature[recoveryByteAt])
  recovered.set(signature.subarray(0, recoveryByteAt), 1)
  let publicKey: Uint8Array
  try {
    publicKey = secp256k1.Signature.fromBytes(recovered, 'recovered')
      .recoverPublicKey(digest)
      .toBytes(false)
  } catch {
    return false // r is not on the curve, or the key is the point at infinity
  }
  const hash = keccak256Reference(publicKey.subarray(1))
  out.set(hash.subarray(hash.length - addressBytes))
  return true
}
