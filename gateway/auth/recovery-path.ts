/** How signers are recovered: natively, where that does not load in WebAssembly, and without either slowly. */
export const recoveryPaths = ['native', 'wasm', 'noble'] as const
export type RecoveryPath = (typeof recoveryPaths)[number]
