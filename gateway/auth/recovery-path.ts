/** Implementation of signer recovery: the native library, or WebAssembly if that does not load. */
export const recoveryPaths = ['native', 'wasm'] as const
export type RecoveryPath = (typeof recoveryPaths)[number]
