import type { RfqRequest } from '../gateway/client/quote-provider-client.js'
import type { StreamMessage } from '../gateway/client/stream-types.js'
import { AuctionMarket } from './auction-market.js'
import { type FillTimes, fillRows, fillTimesOf, flushRow, processorRows } from './fill-rows.js'
import { type FillRunOptions, FillWait, type Flushed, repeatFills, takerCount } from './fill-run.js'
import type { FirmProvider } from './firm-providers.js'
import { listMarket } from './listed-market.js'
import { LatencyHistogram } from './load/latency-histogram.js'
import { OpenLoop } from './load/open-loop.js'
import { planSends } from './load/send-plan.js'
import { type BenchResult, spread } from './measure/bench-result.js'
import { failedMillis, nonceOf, parkMillis } from './order-loop.js'
import type { QuietRepeats } from './quiet-repeats.js'
import type { StreamSocket } from './stream-socket.js'

export interface AuctionFillOptions extends FillRunOptions {
  readonly ordersPerSecond: number
}

interface Repeat extends Flushed {
  /** Time from the provider's write of the last answer until the taker receives its fill. */
  readonly answered: FillTimes
  /** Time from the deadline, in engine time, until the taker receives its fill. */
  readonly deadline: FillTimes
  /** Orders with a late answer. Each counts as one second. */
  readonly lateAnswers: number
  readonly lateMillisP99: number
  readonly cores: ReadonlyMap<string, number>
}

type MeasureAuctions = (seed: number) => Promise<Omit<Repeat, keyof Flushed>>

// The venue does not ask a silent provider about the same instrument again for ten seconds.
const secondsUntilAgain = 12
const lateCodes = ['rfq_closed', 'rfq_already_filled', 'deadline_passed']

/**
 * Measures best-execution orders at a fixed rate against a real process. They are for options without a book, which all
 * providers quote within the order's limit. Half of the auctions end when the last provider has answered. The other half
 * end at their deadline, because one of at least two providers stays silent. The venue assigns auction ids, so answers are
 * signed during the run, and the time starts when the last signed answer is sent.
 */
export async function runAuctionFillBench(options: AuctionFillOptions): Promise<BenchResult[]> {
  const { ordersPerSecond, seconds } = options
  const measured = await repeatFills(options, async (parties): Promise<MeasureAuctions> => {
    const { load, operator, providers, streams, takers } = parties
    const instruments = Math.ceil((ordersPerSecond * secondsUntilAgain) / takerCount) * takerCount
    const market = new AuctionMarket(await listMarket(operator, instruments), takers)
    return async (seed) => {
      const count = Math.ceil(ordersPerSecond * seconds)
      const first = market.ordered
      const frames = market.sign(count)
      const plannedMillis = planSends({ ratePerSecond: ordersPerSecond, count, seed })
      for (const provider of providers) market.show(provider)
      await operator.untilQuoteRows(instruments * providers.length)
      const fills = new AuctionFills(market, first, count)
      const loop = new OpenLoop({
        plannedMillis,
        parkMillis,
        send: (index) => {
          fills.onSend(index)
          streams[(first + index) % takerCount]!.send(frames[index]!)
        },
      })
      fills.listen(streams, providers)
      load.begin()
      await fills.wait.until(loop)
      return {
        answered: fills.times(false),
        deadline: fills.times(true),
        lateAnswers: fills.late.size,
        lateMillisP99: loop.lateness.percentileMillis(0.99),
        cores: load.cores(),
      }
    }
  })
  return rowsOf(measured, options)
}

/** Fill times of the orders of one run. */
class AuctionFills {
  /** Orders with a late answer, whose auctions ended in another way than planned. */
  readonly late = new Set<number>()
  readonly wait: FillWait
  readonly #market: AuctionMarket
  readonly #first: number
  readonly #indexOf = new Map<string, number>()
  /** Time that decides each order's auction: the last answer, or the deadline if a provider is silent. */
  readonly #decisiveMillis: Float64Array
  readonly #tookMillis: Float64Array
  readonly #indexOfRfq = new Map<string, number>()

  constructor(market: AuctionMarket, first: number, count: number) {
    this.#market = market
    this.#first = first
    this.wait = new FillWait(count, 'orders have no answer')
    this.#decisiveMillis = new Float64Array(count)
    this.#tookMillis = new Float64Array(count)
  }

  onSend(index: number): void {
    this.#indexOf.set(this.#market.symbolOf(this.#first + index), index)
  }

  /** Listens to all sockets, and lets the providers answer. */
  listen(streams: readonly StreamSocket[], providers: readonly FirmProvider[]): void {
    const { wait } = this
    for (const stream of streams) wait.listen(stream, (payload) => this.#onTaker(payload))
    for (const [place, provider] of providers.entries()) {
      wait.listen(provider.socket, (payload) => this.#onProvider(payload, provider, place))
    }
  }

  /** Returns the times of the auctions that end at their deadline, or of the others. */
  times(isDeadline: boolean): FillTimes {
    const histogram = new LatencyHistogram()
    for (const [index, millis] of this.#tookMillis.entries()) {
      if (this.#hasSilence(index) !== isDeadline) continue
      histogram.record(this.late.has(index) ? failedMillis : millis)
    }
    return fillTimesOf(histogram)
  }

  /** Answers requests. A notice that another quote has won is not a failure. */
  #onProvider(payload: Buffer, provider: FirmProvider, place: number): void {
    if (payload.includes('"rfq_request"')) {
      const request = JSON.parse(String(payload)) as RfqRequest
      const index = this.#indexOf.get(request.legs[0]!.instrument)!
      this.#indexOfRfq.set(request.rfq_id, index)
      if (this.#hasSilence(index)) {
        const { request_timestamp: begin, response_deadline_ms: length } = request
        this.#decisiveMillis[index] = begin + length - performance.timeOrigin
        if (place === 0) return
      }
      const answer = this.#market.answer(provider, request)
      if (!this.#hasSilence(index)) this.#decisiveMillis[index] = performance.now()
      provider.socket.send(answer)
    } else if (!payload.includes('"type":"rfq_already_filled"')) this.#onRefusal(payload)
  }

  #onRefusal(payload: Buffer): void {
    const { code, rfq_id: rfqId } = JSON.parse(String(payload)) as StreamMessage
    const index = this.#indexOfRfq.get(String(rfqId))
    if (index !== undefined && lateCodes.includes(String(code))) this.late.add(index)
    else this.wait.fail(payload)
  }

  #onTaker(payload: Buffer): void {
    if (!payload.includes('"OrderResult"')) {
      this.wait.fail(payload)
      return
    }
    const index = nonceOf(payload) - 1 - this.#first
    // There is no book, so a provider made every fill.
    const isFilled = payload.includes('"FILLED"') && this.#decisiveMillis[index] !== 0
    this.#tookMillis[index] = isFilled
      ? performance.now() - this.#decisiveMillis[index]!
      : failedMillis
    this.wait.endOne()
  }

  #hasSilence(index: number): boolean {
    return Math.floor((this.#first + index) / takerCount) % 2 === 1
  }
}

function rowsOf(
  { figures, quiet }: QuietRepeats<Repeat>,
  { ordersPerSecond, providers }: AuctionFillOptions,
): BenchResult[] {
  const flushMillis = figures.map((repeat) => repeat.flushMillis)
  const sentLateMillisP99 = spread(figures.map(({ lateMillisP99 }) => lateMillisP99)).value
  const lateAnswers = figures.reduce((sum, repeat) => sum + repeat.lateAnswers, 0)
  const load = { loop: 'open', ordersPerSecond, providers, ordersAnsweredLate: lateAnswers }
  const answered = {
    ...{ name: 'auction.answered', times: figures.map((repeat) => repeat.answered), flushMillis },
    extra: { about: 'last answer leaves until the order is filled', ...load, ...quiet },
  }
  const deadline = {
    ...{ name: 'auction.deadline', times: figures.map((repeat) => repeat.deadline), flushMillis },
    extra: { about: 'from the deadline, a whole millisecond of engine time', sentLateMillisP99 },
  }
  return [
    ...fillRows(answered),
    ...fillRows(deadline),
    flushRow('auction', flushMillis),
    ...processorRows(
      'auction',
      figures.map(({ cores }) => cores),
      ordersPerSecond,
    ),
  ]
}
