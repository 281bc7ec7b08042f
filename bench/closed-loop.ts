import { StreamSocket } from './stream-socket.js'

export interface ClosedLoopOptions {
  readonly url: string
  readonly connections: number
  /** Frames unanswered at any time on each connection. */
  readonly inFlight: number
  readonly frames: readonly Buffer[]
  /** Checks each answer. @throws Error to end the run. */
  readonly check: (payload: Buffer) => void
  /** @param millis since the answered frame, the oldest unanswered one of its connection, was sent. */
  readonly onLatency?: (millis: number) => void
}

/**
 * Sends all frames over the connections. Each connection keeps `inFlight` frames unanswered, and replaces frames that were
 * answered together with one write.
 * @returns answers per second.
 * @throws Error of `check`, or of a connection.
 */
export async function runClosedLoop(options: ClosedLoopOptions): Promise<number> {
  const { url, connections, frames } = options
  const share = Math.ceil(frames.length / connections)
  const streams = await Promise.all(
    Array.from({ length: connections }, () => StreamSocket.open(url)),
  )
  try {
    const begin = performance.now()
    await Promise.all(
      streams.map((stream, i) =>
        sendShare(stream, frames.slice(i * share, (i + 1) * share), options),
      ),
    )
    return (frames.length * 1000) / (performance.now() - begin)
  } finally {
    for (const stream of streams) stream.close()
  }
}

function sendShare(
  stream: StreamSocket,
  frames: readonly Buffer[],
  { inFlight, check, onLatency }: ClosedLoopOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sentMillis = new Float64Array(frames.length)
    let sent = 0
    let answered = 0
    const sendNext = () => {
      const upTo = Math.min(frames.length, answered + inFlight)
      if (upTo === sent) return
      sentMillis.fill(performance.now(), sent, upTo)
      if (upTo === sent + 1) stream.send(frames[sent])
      else stream.sendAll(frames.slice(sent, upTo))
      sent = upTo
    }
    stream.onFailure = reject
    stream.onText = (payload) => {
      try {
        check(payload)
      } catch (failure) {
        reject(failure)
        return
      }
      onLatency?.(performance.now() - sentMillis[answered])
      answered++
    }
    stream.onPause = () => {
      if (answered === frames.length) resolve()
      else sendNext()
    }
    sendNext()
  })
}
