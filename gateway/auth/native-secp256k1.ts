import { createRequire } from 'node:module'

export type NativeSecp256k1 = typeof import('secp256k1')

/**
 * The native curve library, or null where its addon does not load. The bindings are asked for by
 * name: the package's main file falls back to slow JavaScript without a word.
 */
export const nativeSecp256k1: NativeSecp256k1 | null = load()

function load(): NativeSecp256k1 | null {
  try {
    return createRequire(import.meta.url)('secp256k1/bindings.js') as NativeSecp256k1
  } catch {
    return null // no prebuilt addon for this platform: `recoveryPath` tells
  }
}
