import { CounterName } from '../../engine/memory/counters.js'
import { closeCodes } from '../transport/close-codes.js'
import type { StreamSocket } from '../transport/transport.js'

/** Every cause for which the gateway closes a stream that sends too much. */
export const floodCauses = [
  'frame_limit',
  'byte_limit',
  'unparsed_frames',
  'control_frames',
] as const
export type FloodCause = (typeof floodCauses)[number]

/** Counters of a gateway thread by cause. */
export const floodCounters: Readonly<Record<FloodCause, CounterName>> = {
  frame_limit: CounterName.FloodFrames,
  byte_limit: CounterName.FloodBytes,
  unparsed_frames: CounterName.FloodUnparsed,
  control_frames: CounterName.FloodControl,
}

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

/** Closes the streams of one gateway that send too much, and counts them by cause. */
export class FloodCloses {
  readonly counts: Record<FloodCause, number> = {
    frame_limit: 0,
    byte_limit: 0,
    unparsed_frames: 0,
    control_frames: 0,
  }

  close(stream: Pick<StreamSocket, 'close'>, cause: FloodCause): void {
    this.counts[cause]++
    const { code, reason } = floodClose(cause)
    stream.close(code, reason, true)
  }
}
