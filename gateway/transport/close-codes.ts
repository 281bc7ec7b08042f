/** Codes by which WebSockets are closed. */
export const closeCodes = { policy: 1008, tooLarge: 1009, tryLater: 1013 } as const
