import { formatHex } from '../../schemas/hex.js'
import '../auth/fast-keccak.js'
import { recoveryByteAt, signatureBytes } from '../../schemas/signing/signature.js'
import { nativeSecp256k1 } from '../auth/native-secp256k1.js'
import { createSigner, privateKeyOf, type Signer, vOffset } from '../client/signer.js'

/**
 * Returns a signer for a Node process that signs thousands of messages. It uses the native library if that loads, and
 * makes the same signatures as `createSigner`. It also speeds up all other hashes of the process.
 * @throws Error if the text is not a private key of secp256k1.
 */
export function createNativeSigner(privateKeyHex: string): Signer {
  const signer = createSigner(privateKeyHex)
  const native = nativeSecp256k1
  if (native === null) return signer
  const privateKey = privateKeyOf(privateKeyHex)
  const sign = (digest: Uint8Array) => {
    const { signature, recid } = native.ecdsaSign(digest, privateKey)
    const bytes = new Uint8Array(signatureBytes)
    bytes.set(signature)
    bytes[recoveryByteAt] = vOffset + recid
    return formatHex(bytes, 0, signatureBytes)
  }
  return { ...signer, sign }
}
