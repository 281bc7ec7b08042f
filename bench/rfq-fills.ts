import { tmpdir } from 'node:os'
import { VenueProcess } from '../scripts/venue-process.js'
import { bareFlushMillis } from './bare-flush.js'
import { type BenchResult, spread } from './bench-result.js'
import { type FillTimes, fillRows, fillTimesOf, flushRow, processorRows } from './fill-rows.js'
import { type FirmProvider, openFirmProviders } from './firm-providers.js'
import { LatencyHistogram } from './load/latency-histogram.js'
import { OpenLoop } from './load/open-loop.js'
import { planSends } from './load/send-plan.js'
import { MarketOperator, unlimited } from './market-operator.js'
import { napMillis, refusedMillis } from './order-loop.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { RfqFrameMaker, type RfqFrames, rfqIndexOf } from './rfq-frames.js'
import { StreamSocket } from './stream-socket.js'
import { ThreadLoad } from './thread-load.js'

export interface RfqFillOptions {
  readonly requestsPerSecond: number
  /** Length of each open-loop run. */
  readonly seconds: number
  readonly repeats: number
  /** All are asked, and all answer each request within its limit. */
  readonly providers: number
  /** Where the journal is written: a folder on the disk to be measured. */
  readonly directory?: string
}

interface Repeat {
  /** From the first answer's write to its provider's socket until the taker has been told of the fill. */
  readonly fill: FillTimes
  /** From the planned time of the request on. */
  readonly whole: FillTimes
  readonly lateMillisP99: number
  readonly cores: ReadonlyMap<string, number>
  readonly flushMillis: number
}

const takers = 4
const overdueMillis = 10_000
const endedUnfilled = /"status":"(?:failed|expired|no_quotes)"/

/**
 * Requests for quote with a limit, of two legs, at a fixed rate against a real process, each quoted within the limit by
 * every provider: the first of these quotes is executed by itself. Requests and quotes are signed before the run; the
 * time is that from the first quote on, whose provider and taker are one process with one clock.
 */
export async function runRfqFillBench(options: RfqFillOptions): Promise<BenchResult[]> {
  const directory = options.directory ?? tmpdir()
  const venue = new VenueProcess({ arguments: unlimited, directory })
  try {
    await venue.start()
    const rig = await RfqRig.open(venue, options.providers)
    try {
      const repeat = async (seed: number) => ({
        flushMillis: bareFlushMillis(directory),
        ...(await rig.run(options, seed + 1)),
      })
      // The first warms up, and is not counted.
      await repeat(options.repeats)
      return rowsOf(await repeatQuietly(options.repeats, repeat), options)
    } finally {
      rig.close()
    }
  } finally {
    await venue.dispose()
  }
}

/** Takers and providers of a venue. */
class RfqRig {
  readonly #frames: RfqFrameMaker
  readonly #streams: readonly StreamSocket[]
  readonly #providers: readonly FirmProvider[]
  readonly #load: ThreadLoad

  private constructor(
    frames: RfqFrameMaker,
    streams: readonly StreamSocket[],
    providers: readonly FirmProvider[],
    load: ThreadLoad,
  ) {
    this.#frames = frames
    this.#streams = streams
    this.#providers = providers
    this.#load = load
  }

  static async open(venue: VenueProcess, count: number): Promise<RfqRig> {
    const operator = new MarketOperator(venue)
    const contexts = await Promise.all(Array.from({ length: takers }, () => operator.fundWallet()))
    const providers = await openFirmProviders(operator, venue.streamUrl, count)
    const quoting = providers.map(({ context }) => context)
    const frames = await RfqFrameMaker.open(operator, contexts, quoting)
    const streams = await Promise.all(contexts.map(() => StreamSocket.open(venue.streamUrl)))
    const load = new ThreadLoad(venue.pid, (await operator.state()).threads)
    return new RfqRig(frames, streams, providers, load)
  }

  async run({ requestsPerSecond, seconds }: RfqFillOptions, seed: number) {
    const count = Math.ceil(requestsPerSecond * seconds)
    const frames = this.#frames.sign(count)
    const plannedMillis = planSends({ ratePerSecond: requestsPerSecond, count, seed })
    const loop = new OpenLoop({
      plannedMillis,
      napMillis,
      send: (index) =>
        this.#streams[(frames.first + index) % takers]!.send(frames.requests[index]!),
    })
    const fills = new RfqFills(frames, loop)
    const ended = fills.all(this.#streams, this.#providers)
    this.#load.begin()
    let overdue: NodeJS.Timeout | undefined
    const sent = loop.run().then(() => {
      overdue = setTimeout(() => fills.giveUp(), overdueMillis)
    })
    await Promise.all([sent, ended])
    clearTimeout(overdue)
    return {
      fill: fillTimesOf(fills.fromAnswer),
      whole: fillTimesOf(loop.latencies),
      lateMillisP99: loop.lateness.percentileMillis(0.99),
      cores: this.#load.cores(),
    }
  }

  close(): void {
    for (const stream of this.#streams) stream.close()
    for (const { socket } of this.#providers) socket.close()
  }
}

/** What becomes of the requests of one run. */
class RfqFills {
  readonly fromAnswer = new LatencyHistogram()
  readonly #frames: RfqFrames
  readonly #loop: OpenLoop
  readonly #answeredMillis: Float64Array
  readonly #isEnded: Uint8Array
  #missing: number
  #resolve: () => void = () => {}
  #reject: (failure: Error) => void = () => {}

  constructor(frames: RfqFrames, loop: OpenLoop) {
    this.#frames = frames
    this.#loop = loop
    this.#missing = frames.requests.length
    this.#answeredMillis = new Float64Array(this.#missing)
    this.#isEnded = new Uint8Array(this.#missing)
  }

  /** Has the providers answer, until each request has ended. */
  all(streams: readonly StreamSocket[], providers: readonly FirmProvider[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      for (const stream of streams) {
        stream.onFailure = reject
        stream.onText = (payload) => this.#onTaker(payload)
      }
      for (const [provider, { socket }] of providers.entries()) {
        socket.onFailure = reject
        socket.onText = (payload) => this.#onProvider(payload, socket, provider)
      }
    })
  }

  giveUp(): void {
    this.#reject(new Error(`${this.#missing} requests for quote have not ended`))
  }

  /** Quotes that come behind the first are told that they are too late: that is no failure. */
  #onProvider(payload: Buffer, socket: StreamSocket, provider: number): void {
    if (payload.includes('"rfq_request"')) {
      const index = rfqIndexOf(payload) - this.#frames.first
      if (this.#answeredMillis[index] === 0) this.#answeredMillis[index] = performance.now()
      socket.send(this.#frames.answers[provider]![index]!)
    } else if (payload.includes('"qp_margin_rejection"')) this.#reject(new Error(String(payload)))
  }

  #onTaker(payload: Buffer): void {
    const index = rfqIndexOf(payload) - this.#frames.first
    if (payload.includes('"RfqAcceptResult"')) {
      this.#end(index, payload.includes('"status":"executed"'))
    } else if (payload.includes('"RfqStatusUpdate"') && endedUnfilled.test(String(payload))) {
      this.#end(index, false)
    } else if (payload.includes('"type":"Error"')) this.#reject(new Error(String(payload)))
  }

  #end(index: number, isFilled: boolean): void {
    if (this.#isEnded[index] === 1) return
    this.#isEnded[index] = 1
    if (isFilled) {
      this.fromAnswer.record(performance.now() - this.#answeredMillis[index]!)
      this.#loop.answered(index)
    } else {
      this.fromAnswer.record(refusedMillis)
      this.#loop.latencies.record(refusedMillis)
    }
    if (--this.#missing === 0) this.#resolve()
  }
}

function rowsOf(
  { figures, words }: QuietRepeats<Repeat>,
  { requestsPerSecond, providers }: RfqFillOptions,
): BenchResult[] {
  const flushMillis = figures.map((repeat) => repeat.flushMillis)
  const late = spread(figures.map(({ lateMillisP99 }) => lateMillisP99)).value
  const load = `open-loop, ${requestsPerSecond} a second of two legs, ${providers} providers quote each; ${words}`
  const fills = {
    ...{ name: 'rfq.fill', times: figures.map(({ fill }) => fill), flushMillis },
    extra: `first answer leaves until its fill is told; ${load}`,
  }
  const whole = {
    ...{
      name: 'rfq.request-p50',
      unit: 'ms',
      ...spread(figures.map((repeat) => repeat.whole.p50)),
    },
    extra: `from the planned time of the request; 1 in 100 was sent ${late} ms late or more`,
  }
  return [
    ...fillRows(fills),
    whole,
    flushRow('rfq', flushMillis),
    ...processorRows(
      'rfq',
      figures.map(({ cores }) => cores),
      requestsPerSecond,
    ),
  ]
}
