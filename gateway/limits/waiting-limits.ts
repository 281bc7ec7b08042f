import { quoteFrameBytesMax } from '../../schemas/bounds.js'

// Bounds of the frames and requests of one connection that wait for a later turn of the event loop. `arrivalLimits` bounds
// those of all connections.

/** Frames of one stream. Many clients subscribe in one burst, with a frame for each name. */
export const waitingFramesMax = 2048
/** Requests of one connection. They wait only while others fill the turn, so few are enough. */
export const waitingCallsMax = 8
/** Bytes of one stream: a snapshot of a provider that waits for the answer to its handshake, and the handshake. */
export const waitingBytesMax = quoteFrameBytesMax + 64 * 1024
/** The same after the handshake of a provider. */
export const providerWaitingBytesMax = 8 * quoteFrameBytesMax
/** Frames of a provider that wait for their rows to be read: as many as answer a burst of requests for quote. */
export const quoteFramesMax = 256
/** Frames and bytes of a provider that wait for the answer to its handshake. */
export const earlyFramesMax = 64
export const earlyBytesMax = quoteFrameBytesMax
