/** WebSocket close codes. */
export const closeCodes = {
  /** Sent only by the WebSocket library of the Node transport, without a reason. */
  protocolError: 1002,
  /** Sent by the same library for a text that is not UTF-8. */
  invalidText: 1007,
  policy: 1008,
  tooLarge: 1009,
  internalError: 1011,
  restart: 1012,
  tryLater: 1013,
} as const

/** Close frame after a frame that caused an exception in the gateway. */
export const internalClose = { code: closeCodes.internalError, reason: 'internal error' } as const
export const shutdownClose = { code: closeCodes.restart, reason: 'service restart' } as const
/** Close frame of all connections of a gateway that stalled until the event log wrapped around. */
export const lappedClose = {
  code: closeCodes.restart,
  reason: 'slow gateway, connect again',
} as const
