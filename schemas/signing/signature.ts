import { hasHexPrefix, parseHex, writeHex } from '../hex.js'

export const signatureBytes = 65 // r ‖ s ‖ v
export const recoveryByteAt = 64
const signatureTextLength = 2 + 2 * signatureBytes
const sAt = 32

// Curve order of secp256k1, and its lower half: SEC 2 v2, 2.4.1
const curveOrder = parseHex('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')!
const curveOrderHalf = parseHex(
  '0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0',
)!

/**
 * Parses the text of a signature, `0x` and 130 hexadecimal digits in any case, to its 65 bytes.
 * @param out receives r ‖ s ‖ v; may be partly written if the result is false.
 * @returns false for `signature_verification_failed` (HTTP 400).
 */
export function parseSignature(text: string, out: Uint8Array): boolean {
  if (text.length !== signatureTextLength || !hasHexPrefix(text)) return false
  return writeHex(text, 2, out, 0, signatureBytes)
}

/** Returns the fault in the form of a signature text, as the end of a sentence; null if there is none. */
export function signatureFormFault(text: string): string | null {
  const form = '0x and 130 hexadecimal digits'
  if (!hasHexPrefix(text)) return `the signature must be ${form}, and lacks the 0x`
  if (text.length !== signatureTextLength) {
    return `the signature must be ${form}, and has ${text.length - 2} digits`
  }
  const isHex = /^[0-9a-f]+$/i.test(text.slice(2))
  return isHex ? null : `the signature must be ${form}, and has another character`
}

/**
 * Returns true if a signature may be recovered from: 65 bytes, r and s from 1 to below the curve order, s in its lower
 * half, v one of 0, 1, 27, 28. All recovery paths call this, because none of them refuses a high s.
 */
export function isSignatureSound(signature: Uint8Array): boolean {
  if (signature.length !== signatureBytes) return false
  if (recoveryBit(signature[recoveryByteAt]) < 0) return false
  if (isZero(signature, 0) || isZero(signature, sAt)) return false
  return (
    compareWord(signature, 0, curveOrder) < 0 && compareWord(signature, sAt, curveOrderHalf) <= 0
  )
}

/** Returns 0 or 1 for a valid v (0, 1, 27, 28), else -1. */
export function recoveryBit(v: number): number {
  if (v === 27 || v === 28) return v - 27
  return v === 0 || v === 1 ? v : -1
}

function isZero(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < 32; i++) if (bytes[at + i] !== 0) return false
  return true
}

function compareWord(bytes: Uint8Array, at: number, bound: Uint8Array): number {
  for (let i = 0; i < 32; i++) {
    const difference = bytes[at + i] - bound[i]
    if (difference !== 0) return difference
  }
  return 0
}
