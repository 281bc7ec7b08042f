/** How signers are recovered: by the native library, or slowly, where that does not load. */
export const recoveryPaths = ['native', 'noble'] as const
export type RecoveryPath = (typeof recoveryPaths)[number]
