import { LatencyHistogram } from './load/latency-histogram.js'
import { OpenLoop } from './load/open-loop.js'
import { StreamSocket } from './stream-socket.js'

export interface OrderLoopOptions {
  readonly url: string
  /** Each carries a nonce, one more than that of the frame before. */
  readonly frames: readonly Buffer[]
  /** When to send each frame (`planSends`). */
  readonly plannedMillis: Float64Array
  /** Whether an answer is what the frame asked for; one that is not weighs as a second. */
  readonly isTaken: (payload: Buffer) => boolean
  /** How many kinds of frames are told apart, and which one a frame is of; default one. */
  readonly kinds?: { readonly count: number; readonly of: (index: number) => number }
}

/** Percentiles of one open-loop run, in milliseconds from the planned time. */
export interface Latency {
  readonly p50: number
  readonly p99: number
  /** The client's own part: how late it sent. */
  readonly lateP99: number
}

export const loopConnections = 16
// The client naps between two looks, and leaves its core to the servers.
export const napMillis = 0.01
/** What is refused for lack of room weighs like something that took so long. */
export const refusedMillis = 1000
const oneKind = { count: 1, of: () => 0 } as const
const nonceKey = Buffer.from('"nonce":')
const zeroCode = '0'.charCodeAt(0)

/**
 * Sends frames at planned times, whether or not answers come, and measures from the planned times.
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
      napMillis,
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

/** Answers are told apart by the nonce that each carries, as its order did. */
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
        // An error may name no nonce: all kinds bear it.
        else for (const histogram of histograms) histogram.record(refusedMillis)
        if (--missing === 0) resolve()
      }
    }
  })
}

/** Nonce that a message names; it must name one. */
export function nonceOf(message: Buffer): number {
  const at = message.indexOf(nonceKey) + nonceKey.length
  let nonce = 0
  for (let i = at; isDigit(message[i]); i++) nonce = nonce * 10 + message[i] - zeroCode
  return nonce
}

function isDigit(code: number): boolean {
  return code >= zeroCode && code < zeroCode + 10
}
