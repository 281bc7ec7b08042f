import { LatencyHistogram } from './load/latency-histogram.js'
import { OpenLoop } from './load/open-loop.js'
import { StreamSocket } from './stream-socket.js'

export interface OrderLoopOptions {
  readonly url: string
  /** Frames with consecutive nonces. */
  readonly frames: readonly Buffer[]
  /** Sending time of each frame (`planSends`). */
  readonly plannedMillis: Float64Array
  /** Returns true if an answer is a success. A failure counts as one second. */
  readonly isTaken: (payload: Buffer) => boolean
  /** Number of kinds of frames, and the kind of each frame; default one kind. */
  readonly kinds?: { readonly count: number; readonly of: (index: number) => number }
}

/** Percentiles of one open-loop run, in milliseconds from the planned time. */
export interface Latency {
  readonly p50: number
  readonly p99: number
  /** The client's own delay in sending. */
  readonly lateP99: number
}

export const loopConnections = 16
// The client sleeps between two polls, to leave its core to the servers.
export const parkMillis = 0.01
/** Latency that a failed frame counts with. */
export const failedMillis = 1000
const oneKind = { count: 1, of: () => 0 } as const
const nonceKey = Buffer.from('"nonce":')
const zeroCode = '0'.charCodeAt(0)

/**
 * Sends frames at planned times, whether or not answers arrive, and measures from the planned times.
 * @returns the latency of each kind of frames.
 * @throws Error of a connection.
 */
export async function runOrderLoop(options: OrderLoopOptions): Promise<readonly Latency[]> {
  const { url, frames, plannedMillis, kinds = oneKind } = options
  const streams = await Promise.all(
    Array.from({ length: loopConnections }, () => StreamSocket.open(url)),
  )
  try {
    const loop = new OpenLoop({
      plannedMillis,
      parkMillis,
      send: (index) => streams[index % loopConnections].send(frames[index]),
    })
    const histograms = Array.from({ length: kinds.count }, () => new LatencyHistogram())
    const answered = allAnswered(streams, loop, options, histograms)
    await Promise.all([loop.run(), answered])
    return histograms.map((latencies) => ({
      p50: latencies.percentileMillis(0.5),
      p99: latencies.percentileMillis(0.99),
      lateP99: loop.lateness.percentileMillis(0.99),
    }))
  } finally {
    for (const stream of streams) stream.close()
  }
}

/** Resolves when all frames are answered. Matches answers to frames by nonce. */
function allAnswered(
  streams: readonly StreamSocket[],
  loop: OpenLoop,
  { frames, isTaken, kinds = oneKind }: OrderLoopOptions,
  histograms: readonly LatencyHistogram[],
): Promise<void> {
  const firstNonce = nonceOf(frames[0])
  return new Promise((resolve, reject) => {
    let missing = frames.length
    for (const stream of streams) {
      stream.onFailure = reject
      stream.onText = (payload) => {
        const index = nonceOf(payload) - firstNonce
        if (isTaken(payload)) histograms[kinds.of(index)].record(loop.latencyMillis(index))
        // An error may lack the nonce, so it counts against all kinds.
        else for (const histogram of histograms) histogram.record(failedMillis)
        if (--missing === 0) resolve()
      }
    }
  })
}

/** Returns the nonce of a message, which must have one. */
export function nonceOf(message: Buffer): number {
  const at = message.indexOf(nonceKey) + nonceKey.length
  let nonce = 0
  for (let i = at; isDigit(message[i]); i++) nonce = nonce * 10 + message[i] - zeroCode
  return nonce
}

function isDigit(code: number): boolean {
  return code >= zeroCode && code < zeroCode + 10
}
