import { closeCodes } from '../transport/close-codes.js'

/** Every cause for which a stream is closed that sends more than the gateway takes from it. */
export const floodCauses = [
  'frame_limit',
  'byte_limit',
  'unparsed_frames',
  'control_frames',
] as const

export type FloodCause = (typeof floodCauses)[number]

/** Frames of one connection, in a minute, that are no JSON object. */
export const unparsedFramesMax = 16
/** Pings and pongs of one connection in a minute. */
export const controlFramesMax = 1024

/** Close frame of a stream that sends more than the gateway takes from it. */
export function floodClose(cause: FloodCause): {
  readonly code: number
  readonly reason: string
} {
  return { code: closeCodes.policy, reason: JSON.stringify({ error: 'flood', cause }) }
}
