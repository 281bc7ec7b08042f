import { type FillTimes, fillRows, fillTimesOf, flushRow, processorRows } from './fill-rows.js'
import { type FillRunOptions, FillWait, type Flushed, repeatFills, takerCount } from './fill-run.js'
import type { FirmProvider } from './firm-providers.js'
import { LatencyHistogram } from './load/latency-histogram.js'
import { OpenLoop } from './load/open-loop.js'
import { planSends } from './load/send-plan.js'
import { type BenchResult, spread } from './measure/bench-result.js'
import { failedMillis, parkMillis } from './order-loop.js'
import type { QuietRepeats } from './quiet-repeats.js'
import { RfqFrameMaker, type RfqFrames, rfqIndexOf } from './rfq-frames.js'
import type { StreamSocket } from './stream-socket.js'

export interface RfqFillOptions extends FillRunOptions {
  readonly requestsPerSecond: number
}

interface Repeat extends Flushed {
  /** Time from the provider's write of the first quote until the taker receives the fill. */
  readonly fill: FillTimes
  /** Time from the planned send of the request until the taker receives the fill. */
  readonly whole: FillTimes
  readonly lateMillisP99: number
  readonly cores: ReadonlyMap<string, number>
}

type MeasureRequests = (seed: number) => Promise<Omit<Repeat, keyof Flushed>>

const endedUnfilled = /"status":"(?:failed|expired|no_quotes)"/

/**
 * Measures two-leg requests for quote with a limit, at a fixed rate against a real process. Every provider quotes within
 * the limit, so the venue executes the first quote automatically. Requests and quotes are signed before the run. The time
 * starts at the first quote. Provider and taker are in one process, with one clock.
 */
export async function runRfqFillBench(options: RfqFillOptions): Promise<BenchResult[]> {
  const { requestsPerSecond, seconds } = options
  const measured = await repeatFills(options, async (parties): Promise<MeasureRequests> => {
    const { load, operator, providers, streams, takers } = parties
    const quoting = providers.map(({ context }) => context)
    const maker = await RfqFrameMaker.open(operator, takers, quoting)
    return async (seed) => {
      const count = Math.ceil(requestsPerSecond * seconds)
      const frames = maker.sign(count)
      const plannedMillis = planSends({ ratePerSecond: requestsPerSecond, count, seed })
      const loop = new OpenLoop({
        plannedMillis,
        parkMillis,
        send: (index) =>
          streams[(frames.first + index) % takerCount]!.send(frames.requests[index]!),
      })
      const fills = new RfqFills(frames, loop)
      fills.listen(streams, providers)
      load.begin()
      await fills.wait.until(loop)
      return {
        fill: fillTimesOf(fills.fromAnswer),
        whole: fillTimesOf(loop.latencies),
        lateMillisP99: loop.lateness.percentileMillis(0.99),
        cores: load.cores(),
      }
    }
  })
  return rowsOf(measured, options)
}

/** Fill times of the requests of one run. */
class RfqFills {
  readonly fromAnswer = new LatencyHistogram()
  readonly wait: FillWait
  readonly #frames: RfqFrames
  readonly #loop: OpenLoop
  readonly #answeredMillis: Float64Array
  readonly #isEnded: Uint8Array

  constructor(frames: RfqFrames, loop: OpenLoop) {
    const count = frames.requests.length
    this.#frames = frames
    this.#loop = loop
    this.wait = new FillWait(count, 'requests for quote have not ended')
    this.#answeredMillis = new Float64Array(count)
    this.#isEnded = new Uint8Array(count)
  }

  /** Listens to all sockets, and lets the providers answer. */
  listen(streams: readonly StreamSocket[], providers: readonly FirmProvider[]): void {
    const { wait } = this
    for (const stream of streams) wait.listen(stream, (payload) => this.#onTaker(payload))
    for (const [provider, { socket }] of providers.entries()) {
      wait.listen(socket, (payload) => this.#onProvider(payload, socket, provider))
    }
  }

  /** Answers requests. A notice that a later quote came too late is not a failure. */
  #onProvider(payload: Buffer, socket: StreamSocket, provider: number): void {
    if (payload.includes('"rfq_request"')) {
      const index = rfqIndexOf(payload) - this.#frames.first
      if (this.#answeredMillis[index] === 0) this.#answeredMillis[index] = performance.now()
      socket.send(this.#frames.answers[provider]![index]!)
    } else if (payload.includes('"qp_margin_rejection"')) this.wait.fail(payload)
  }

  #onTaker(payload: Buffer): void {
    const index = rfqIndexOf(payload) - this.#frames.first
    if (payload.includes('"RfqAcceptResult"')) {
      this.#end(index, payload.includes('"status":"executed"'))
    } else if (payload.includes('"RfqStatusUpdate"') && endedUnfilled.test(String(payload))) {
      this.#end(index, false)
    } else if (payload.includes('"type":"Error"')) this.wait.fail(payload)
  }

  #end(index: number, isFilled: boolean): void {
    if (this.#isEnded[index] === 1) return
    this.#isEnded[index] = 1
    if (isFilled) {
      this.fromAnswer.record(performance.now() - this.#answeredMillis[index]!)
      this.#loop.answered(index)
    } else {
      this.fromAnswer.record(failedMillis)
      this.#loop.latencies.record(failedMillis)
    }
    this.wait.endOne()
  }
}

function rowsOf(
  { figures, quiet }: QuietRepeats<Repeat>,
  { requestsPerSecond, providers }: RfqFillOptions,
): BenchResult[] {
  const flushMillis = figures.map((repeat) => repeat.flushMillis)
  const sentLateMillisP99 = spread(figures.map(({ lateMillisP99 }) => lateMillisP99)).value
  const load = { loop: 'open', requestsPerSecond, legs: 2, providers, ...quiet }
  const fills = {
    ...{ name: 'rfq.fill', times: figures.map(({ fill }) => fill), flushMillis },
    extra: { about: 'from sending the first answer until its fill arrives', ...load },
  }
  const whole = {
    ...{
      name: 'rfq.request-p50',
      unit: 'ms',
      ...spread(figures.map((repeat) => repeat.whole.p50)),
    },
    extra: { about: 'from the planned time of the request', sentLateMillisP99 },
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
