import { allocateSocketCounts, SocketCounts, type SocketLimits } from '../limits/socket-counts.js'
import type { HttpCall, Transport } from '../transport/transport.js'
import type { Transports } from '../transport/transports.js'
import { alone, metric, metricContentType, metricText } from './metric-text.js'
import { readyMetric } from './upkeep-metrics.js'

// Within the file descriptors reserved for the venue itself.
const connectionsMax = 64
const socketLimits: SocketLimits = {
  perAddressMax: connectionsMax,
  unfinishedBytesMax: 16 * 1024 * 1024,
  unreadBytesMax: 16 * 1024 * 1024,
  holdsOnLoopback: false,
  isProxy: () => false,
}

export interface OperatorAddress {
  readonly host: string
  /** 0: the system chooses one. */
  readonly port: number
  readonly transports: Transports
}

/**
 * Port of the operator interface. It answers health checks while the venue recovers, so that a long replay does not look
 * like an outage. Afterwards it passes calls to the operator server.
 */
export class OperatorListener {
  /** `http://host:port`, with the port that the system chose. */
  readonly url: string
  onCall: (call: HttpCall) => void = answerStarting
  readonly #transport: Transport

  private constructor(url: string, transport: Transport) {
    this.url = url
    this.#transport = transport
  }

  /**
   * @throws Error if the port is taken.
   */
  static async open({ host, port, transports }: OperatorAddress): Promise<OperatorListener> {
    const ledger = new SocketCounts(allocateSocketCounts(), socketLimits)
    ledger.setMax(connectionsMax)
    let listener: OperatorListener | null = null
    const transport = transports.open(
      {
        onCall: (call) => (listener === null ? answerStarting(call) : listener.onCall(call)),
        refuseStream: () => ({ status: 503, body: '', headers: [] }),
        refuseCall: () => null,
        onCallEnd: () => {},
      },
      { ledger },
    )
    const held = await transports.holdPort(host, port)
    await transport.listen(host, held.port)
    held.release()
    const shownHost = host.includes(':') ? `[${host}]` : host
    listener = new OperatorListener(`http://${shownHost}:${held.port}`, transport)
    return listener
  }

  close(): void {
    this.#transport.close()
  }
}

/** Answers while the venue recovers: alive, but not ready. */
const startingAnswers: Readonly<
  Record<string, readonly [status: number, type: string, body: string]>
> = {
  '/livez': [200, 'application/json', '{"status":"ok","failing":[]}'],
  '/readyz': [503, 'application/json', '{"status":"not_ready","failing":["recovery"]}'],
  '/metrics': [200, metricContentType, metricText([metric(...readyMetric, () => alone(0))])],
}
const notReady = [
  503,
  'application/json',
  '{"code":"not_ready","message":"The venue is recovering"}',
] as const

function answerStarting(call: HttpCall): void {
  const [status, type, body] = startingAnswers[call.path] ?? notReady
  call.answer(status, body, [
    ['Content-Type', type],
    ['Cache-Control', 'no-store'],
  ])
}
