/** How signers are recovered: natively, or in WebAssembly where the native library does not load. */
export const recoveryPaths = ['native', 'wasm'] as const
export type RecoveryPath = (typeof recoveryPaths)[number]
