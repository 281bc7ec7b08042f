import { ChangedBinaryError, loadPinned } from '../native/load-pinned.js'

export type NativeSecp256k1 = typeof import('secp256k1')

/**
 * The native curve library, or null where its addon does not load. The bindings are asked for by
 * name: the package's main file falls back to slow JavaScript without a word.
 */
export const nativeSecp256k1: NativeSecp256k1 | null = load()

function load(): NativeSecp256k1 | null {
  try {
    return loadPinned<NativeSecp256k1>('secp256k1/bindings.js')
  } catch (error) {
    if (error instanceof ChangedBinaryError) throw error
    return null // no prebuilt addon for this platform: `recoveryPath` tells
  }
}
