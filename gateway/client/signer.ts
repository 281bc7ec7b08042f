import { secp256k1 } from '@noble/curves/secp256k1.js'
import { formatHex, hasHexPrefix, parseHex } from '../../schemas/hex.js'
import { keccak256 } from '../../schemas/signing/keccak.js'
import { recoveryByteAt, signatureBytes } from '../../schemas/signing/signature.js'
import { addressBytes, formatAddress } from '../../schemas/wallet.js'
import type { TypedRequest } from './typed-request.js'

/** Signs digests as one address. */
export interface Signer {
  /** `0x` and 40 lower-case digits. */
  readonly address: string
  /** The 20 bytes of the address. */
  readonly addressBytes: Uint8Array
  /** Signature of a 32-byte digest: `0x` and 130 lower-case digits, r ‖ s ‖ v. */
  sign(digest: Uint8Array): string
  /** Signs typed data for an account that does not expose its key, and signs nothing else (account-signer.ts). */
  signTyped?(request: TypedRequest): Promise<string>
}

/** Offset of the recovery byte, as common wallets write it. */
export const vOffset = 27

/**
 * Creates the signer of a private key. Signatures are deterministic (RFC 6979), with low s and v 27 or 28, as common
 * wallets make them.
 * @param privateKeyHex 64 hexadecimal digits, with or without `0x`.
 * @throws Error if it is not a private key of secp256k1.
 * @example
 * const signer = createSigner(privateKey)
 * console.log(signer.address)
 */
export function createSigner(privateKeyHex: string): Signer {
  const privateKey = privateKeyOf(privateKeyHex)
  const publicKey = secp256k1.getPublicKey(privateKey, false)
  const address = keccak256(publicKey.subarray(1)).slice(-addressBytes)
  return {
    address: formatAddress(address, 0),
    addressBytes: address,
    sign: (digest) => formatHex(signDigest(digest, privateKey), 0, signatureBytes),
  }
}

/** Parses a private key. @throws As `createSigner`. */
export function privateKeyOf(privateKeyHex: string): Uint8Array {
  const text = hasHexPrefix(privateKeyHex) ? privateKeyHex : `0x${privateKeyHex}`
  const privateKey = parseHex(text)
  if (privateKey !== null && secp256k1.utils.isValidSecretKey(privateKey)) return privateKey
  throw new Error('createSigner: not a private key of secp256k1')
}

function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(signatureBytes)
  // This library puts the recovery byte first, and hashes the digest again unless `prehash` is false.
  const options = { prehash: false, format: 'recovered' } as const
  const recovered = secp256k1.sign(digest, privateKey, options)
  bytes.set(recovered.subarray(1))
  bytes[recoveryByteAt] = vOffset + recovered[0]
  return bytes
}
