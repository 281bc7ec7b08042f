import { ChangedBinaryError, loadPinned } from '../native/load-pinned.js'

export type NativeSecp256k1 = typeof import('secp256k1')

/**
 * Native curve library, or null if its addon does not load. Loads the bindings by name, because the package's main file
 * falls back silently to slow JavaScript.
 */
export const nativeSecp256k1: NativeSecp256k1 | null = load()

function load(): NativeSecp256k1 | null {
  try {
    return loadPinned<NativeSecp256k1>('secp256k1/bindings.js')
  } catch (error) {
    if (error instanceof ChangedBinaryError) throw error
    return null // no prebuilt addon for this platform; `recoveryPath` shows it
  }
}
