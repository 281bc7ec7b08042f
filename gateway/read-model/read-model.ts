import { CounterName, Counters } from '../../engine/memory/counters.js'
import type { Duty } from '../../engine/memory/duty.js'
import { EventLogReader } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, logReaders, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { ClockAlarm } from '../../schemas/domain.js'
import { AnyEvent, EventType, RfqEvent } from '../../schemas/generated/events.js'
import { ReadRequest, WatchRecord, WatchRequest } from '../../schemas/generated/reads.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import { type ViewReadKey, viewReadKeys } from '../../schemas/interface/reads.js'
import { Result } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import { readWaitMillisMax, tablesRequest } from '../link/read-protocol.js'
import { type Answer, refusedAnswer } from '../wire/answers.js'
import { QueryReader } from '../wire/query-reader.js'
import { countAuction } from './auction-counts.js'
import { ChainFeed } from './feeds/chain-feed.js'
import { CompetitionFeed } from './feeds/competition-feed.js'
import { NoticeFeed } from './feeds/notice-feed.js'
import { PortfolioFeed } from './feeds/portfolio-feed.js'
import { ReplyWriter } from './feeds/reply-writer.js'
import { writeInstrumentGauges } from './instrument-gauges.js'
import {
  authorizedAgentsRoute,
  mmpConfigRoute,
  portfolioRoute,
  selfTradePreventionRoute,
  usernameRoute,
  userTierRoute,
} from './routes/account-routes.js'
import {
  competitionAccountRoute,
  competitionRoute,
  competitionSummaryRoute,
  competitionsRoute,
  leaderboardRoute,
  metricRanksRoute,
  standingsPending,
} from './routes/competition-routes.js'
import { feesRoute } from './routes/fees.js'
import { instrumentSpecsRoute, instrumentsRoute } from './routes/instruments.js'
import { liquidationStatusRoute } from './routes/liquidation-status.js'
import { marketsRoute } from './routes/markets.js'
import { optionsSummaryRoute } from './routes/options-summary.js'
import { orderbookRoute } from './routes/orderbook.js'
import { profileRoute, realizedPnlRoute } from './routes/profile-routes.js'
import { riskGridRoute } from './routes/risk-grid.js'
import { simulateOrdersRoute } from './routes/simulate-orders.js'
import { StandingsBoard } from './standings/standings-board.js'
import { isActive } from './texts/market-text.js'
import {
  AnswerCache,
  type ReadModelConfig,
  type ReadRoute,
  type RouteContext,
} from './texts/route-context.js'
import { EventViews, type ViewsObserver } from './views/event-views.js'
import { GatewayTables } from './views/gateway-tables.js'
import { InstrumentRows } from './views/instrument-rows.js'
import { QuoteViews } from './views/quote-views.js'
import { SharedValue } from './views/shared-value.js'
import { showFeedTimes } from './views/venue-health.js'
import {
  type HaltBoard,
  haltBoardOf,
  type VenueGauges,
  venueGaugesOf,
} from './views/venue-views.js'

export const readModelRoutes: Readonly<Record<ViewReadKey, ReadRoute>> = {
  'GET /instruments': instrumentsRoute,
  'GET /instrument-specs': instrumentSpecsRoute,
  'GET /markets': marketsRoute,
  'GET /orderbook': orderbookRoute,
  'GET /portfolio': portfolioRoute,
  'GET /options-summary': optionsSummaryRoute,
  'GET /authorized-agents': authorizedAgentsRoute,
  'GET /user-tier': userTierRoute,
  'GET /username': usernameRoute,
  'GET /profile': profileRoute,
  'GET /profile/realized-pnl': realizedPnlRoute,
  'GET /self-trade-prevention': selfTradePreventionRoute,
  'GET /mmp-config': mmpConfigRoute,
  'GET /risk/grid': riskGridRoute,
  'POST /risk/simulate/orders': simulateOrdersRoute,
  'GET /liquidation/status': liquidationStatusRoute,
  'GET /competitions': competitionsRoute,
  'GET /competitions/': competitionRoute,
  'GET /leaderboard': leaderboardRoute,
  'GET /competition-metric-ranks': metricRanksRoute,
  'GET /competition/summary': competitionSummaryRoute,
  'GET /competition/leaderboard': leaderboardRoute,
  'GET /competition/account': competitionAccountRoute,
  'GET /fees': feesRoute,
}

const rfq = new RfqEvent()
const request = new ReadRequest()
const watch = new WatchRequest()

const requestsPerGatewayMax = 64
const eventsPerReleaseMax = 4096
const publishIntervalMillis = 1000

/** Read whose log offset or sequence has not been reached yet. */
interface PendingRead {
  readonly gateway: number
  readonly slot: number
  readonly logOffset: number
  readonly seqMin: number
  readonly deadlineMillis: number
  readonly arrivedMillis: number
  readonly endpoint: ViewReadKey
  readonly query: QueryReader
}

/**
 * Follows the event log, as a reader that the core waits for, and answers the gateways' reads from the views. Answers
 * between batches, so that no answer shows half of a batch, except for a batch with more events than the log holds
 * (`#pump`).
 */
export class ReadModel implements Duty {
  readonly role = 'read-model'
  readonly views: EventViews
  /** Results of wallets in competitions. */
  readonly standings: StandingsBoard
  readonly #log: EventLogReader
  readonly #event = new AnyEvent()
  readonly #requests: readonly Ring[]
  readonly #replies: readonly ReplyWriter[]
  readonly #counters: Counters
  readonly #clock: () => number
  readonly #steady: () => number
  readonly #config: ReadModelConfig
  readonly #cache = new AnswerCache()
  readonly #portfolios: PortfolioFeed
  readonly #chain: ChainFeed
  readonly #contests: CompetitionFeed
  readonly #quotes: QuoteViews
  readonly #rows: InstrumentRows
  readonly #board: SharedValue<VenueGauges>
  readonly #tables = new GatewayTables()
  readonly #notices: NoticeFeed
  readonly #halts: SharedValue<HaltBoard>
  readonly #feedTimes: Float64Array
  #publishedMillis = 0
  #publishedVenue = 0
  #publishedHalts = -1
  #publishedFeeds = -1
  #pending: PendingRead[] = []

  /**
   * @param clock Unix milliseconds, possibly fractional; for age limits only.
   * @param steady Monotonic milliseconds for the timeouts of reads, because the venue's time may be paused.
   */
  constructor(
    memory: ExchangeMemory,
    config: ReadModelConfig,
    clock: () => number,
    steady: () => number = clock,
  ) {
    this.#log = new EventLogReader(memory.eventLog, logReaders.readModel)
    this.views = new EventViews(config.engine)
    this.#requests = memory.readRings.map((ring) => new Ring(ring, 'consumer'))
    this.#replies = memory.replyRings.map((ring, gateway) => {
      const wakeup = new Wakeup(memory.wakeups, wakeupOf.gateway(gateway))
      return new ReplyWriter(new Ring(ring, 'producer'), wakeup)
    })
    this.#counters = new Counters(memory.counters, wakeupOf.readModel)
    this.views.isClockDoubted = () =>
      this.#counters.read(wakeupOf.core, CounterName.ClockAlarm) !== ClockAlarm.None
    this.#rows = new InstrumentRows(memory.instrumentRows)
    this.#board = new SharedValue(memory.venueBoard)
    this.#halts = new SharedValue(memory.haltBoard)
    this.#feedTimes = new Float64Array(memory.feedTimes)
    this.#config = config
    this.#clock = clock
    this.#steady = steady
    this.standings = new StandingsBoard({
      hasActive: () => this.views.isReady && this.views.competitions.hasActive,
      isReady: () => this.views.isReady,
      isStoreDown: () => this.#counters.read(wakeupOf.history, CounterName.HistoryDown) === 1,
    })
    const symbolOf = (instrument: number) => this.views.market.symbols[instrument] ?? ''
    this.#notices = new NoticeFeed(memory, this.#counters, symbolOf)
    const parts = {
      views: this.views,
      outs: this.#replies,
      hasPassed: (offset: number) => this.#log.hasPassed(offset),
    }
    this.#portfolios = new PortfolioFeed(parts)
    this.#contests = new CompetitionFeed({ ...parts, standings: this.standings })
    this.standings.observer = this.#contests
    this.#chain = new ChainFeed({
      ...parts,
      intervalMillis: config.chainMillis,
      context: () => this.#context(this.#clock()),
    })
    const isOver = (id: number) =>
      id < this.views.market.instruments.count && !isActive(this.views.market, id)
    this.#quotes = new QuoteViews(memory, isOver, (id) => this.#chain.onInstrument(id))
    this.views.observer = observerOf(this.#portfolios, this.#chain, (id) => {
      if (isOver(id)) this.#quotes.board.removeInstrument(id)
    })
  }

  onStart(): void {}

  /** Publishes the gauges of the instruments for the operator, at most once a second. */
  #publishInstruments(): void {
    const nowMillis = this.#clock()
    if (nowMillis - this.#publishedMillis < publishIntervalMillis) return
    this.#publishedMillis = nowMillis
    writeInstrumentGauges(this.views, this.#rows)
  }

  #publishVenue(): void {
    if (this.views.venueVersion === this.#publishedVenue || !this.views.isReady) return
    this.#publishedVenue = this.views.venueVersion
    this.#board.write(venueGaugesOf(this.views))
  }

  #publishHalts(): void {
    const { haltVersion } = this.views
    if (haltVersion === this.#publishedHalts) return
    this.#publishedHalts = haltVersion
    this.#halts.write(haltBoardOf(this.views))
  }

  #publishFeeds(): void {
    const { market } = this.views
    if (market.feedVersion === this.#publishedFeeds) return
    this.#publishedFeeds = market.feedVersion
    showFeedTimes(this.#feedTimes, market)
  }

  /**
   * @returns Number of events, requests and pending answers processed.
   */
  doWork(): number {
    const events = this.#pump() + this.standings.goOn(this.#steady())
    const quotes = this.#quotes.take()
    // Before any answer, so that a client that has read a change also finds it at the operator interface.
    this.#publishVenue()
    this.#publishHalts()
    this.#publishFeeds()
    this.#notices.flush()
    let reads = this.#answerWaiting()
    for (let gateway = 0; gateway < this.#requests.length; gateway++) reads += this.#take(gateway)
    this.#publish()
    let parts = 0
    for (const reply of this.#replies) parts += reply.flush()
    if (events > 0) {
      this.#counters.add(CounterName.EventsRead, events)
      this.#publishInstruments()
    }
    this.#counters.set(CounterName.QuotesLapped, this.#quotes.lapped)
    return events + quotes + reads + parts
  }

  onClose(): void {}

  /** True if a request waits for an answer. */
  hasReads(): boolean {
    return this.#pending.length > 0 || this.#requests.some((ring) => ring.hasNext())
  }

  /**
   * Reads up to the current durable offset: the end of a batch, unless the batch causes more events than the log holds.
   * Then the core, which has made the batch durable, publishes a part of it, because it can continue only after the
   * events so far have been read.
   */
  #pump(): number {
    const target = this.#log.durableOffset()
    let count = 0
    while (!this.#log.hasPassed(target)) {
      const event = this.#event.over(this.#log, this.#log.next())
      this.views.apply(event)
      this.#tables.take(event)
      this.#notices.take(event, this.views.isReady)
      this.standings.take(event)
      if (event.recordType === EventType.Rfq && this.views.isReady) {
        countAuction(rfq.of(event), this.#counters)
      }
      count++
      if (count % eventsPerReleaseMax === 0) this.#log.release()
    }
    if (count > 0) this.#log.release()
    return count
  }

  #take(gateway: number): number {
    const ring = this.#requests[gateway]!
    const reply = this.#replies[gateway]!
    let count = 0
    while (count < requestsPerGatewayMax && !reply.isLagging) {
      const at = ring.next()
      if (at < 0) break
      this.#takeRecord(gateway, request.over(ring, at))
      count++
    }
    if (count > 0) {
      ring.release()
      this.#counters.add(CounterName.ReadRequests, count)
    }
    return count
  }

  #takeRecord(gateway: number, record: ReadRequest): void {
    if (record.recordType >= WatchRecord.Portfolio) this.#watch(gateway, watch.of(record))
    else if (record.recordType === tablesRequest) this.#replyTables(gateway, record.slot)
    else {
      const read = this.#readOf(gateway, record)
      if (!this.#answer(read)) this.#pending.push(read)
    }
  }

  #replyTables(gateway: number, slot: number): void {
    const { views } = this
    const answer = views.isReady
      ? this.#tables.answer(views, this.#log.offset())
      : refusedAnswer(Envelope.Bare, { result: Result.NotReady, message: 'not ready' })
    this.#replies[gateway]!.write(slot, answer)
  }

  #watch(gateway: number, { recordType, slot, logOffset, u8, walletAt }: WatchRequest): void {
    const wallet = formatAddress(u8, walletAt)
    const { Chain, ChainEnd, CompetitionEnd, EngagementEnd, Portfolio, PortfolioEnd } = WatchRecord
    const isEngagement = recordType >= WatchRecord.Engagement
    if (recordType === Chain) this.#chain.watch(gateway, slot, logOffset)
    else if (recordType === ChainEnd) this.#chain.unwatch(gateway)
    else if (recordType === Portfolio) this.#portfolios.watch(gateway, wallet, slot, logOffset)
    else if (recordType === PortfolioEnd) this.#portfolios.unwatch(gateway, wallet)
    else if (recordType === CompetitionEnd || recordType === EngagementEnd) {
      this.#contests.unwatch(gateway, wallet, isEngagement)
    } else this.#contests.watch({ gateway, wallet, isEngagement, slot, logOffset })
  }

  /** Publishes between batches, like the answers, so that every message is consistent. */
  #publish(): void {
    if (!this.views.isReady) return
    const nowMillis = this.#clock()
    this.#portfolios.publish(nowMillis)
    this.#chain.publish(nowMillis)
    this.#contests.publish(nowMillis)
  }

  #readOf(gateway: number, record: ReadRequest): PendingRead {
    const nowMillis = this.#clock()
    const { u8, recordType, slot, logOffset, arrivedMillis, queryAt, queryBytes } = record
    const text = Buffer.from(u8.buffer, u8.byteOffset + queryAt, queryBytes).toString('utf8')
    const endpoint = viewReadKeys[recordType]!
    const { refusesUnknown } = this.#config
    const [parameters, body] = endpointOf(endpoint)[0] === 'POST' ? ['', text] : [text, '']
    const query = new QueryReader(parameters, refusesUnknown, body)
    return {
      gateway,
      slot,
      logOffset,
      seqMin: query.integer(['min_seq'], 0, Number.MAX_SAFE_INTEGER, 0),
      deadlineMillis: this.#steady() + readWaitMillisMax,
      arrivedMillis: arrivedMillis || nowMillis,
      endpoint,
      query,
    }
  }

  #answerWaiting(): number {
    if (this.#pending.length === 0) return 0
    const before = this.#pending.length
    this.#pending = this.#pending.filter((read) => !this.#answer(read))
    return before - this.#pending.length
  }

  /**
   * @returns False if the read has to wait.
   */
  #answer(read: PendingRead): boolean {
    if (!read.query.isWrong && !this.#hasReached(read)) {
      if (this.#steady() < read.deadlineMillis) return false
      const message = 'the answer does not include the wanted sequence yet'
      const { envelope } = readModelRoutes[read.endpoint]
      this.#reply(read, refusedAnswer(envelope, { result: Result.NotReady, message }))
      return true
    }
    const answer = this.#routed(read)
    if (answer === standingsPending && this.#steady() < read.deadlineMillis) return false
    this.#reply(read, answer)
    return true
  }

  #hasReached(read: PendingRead): boolean {
    const { views } = this
    return views.isReady && this.#log.hasPassed(read.logOffset) && views.seq >= read.seqMin
  }

  #routed(read: PendingRead): Answer {
    return readModelRoutes[read.endpoint].answer(read.query, this.#context(read.arrivedMillis))
  }

  #context(arrivedMillis: number): RouteContext {
    const { standings, views } = this
    return {
      ...{ views, standings, quotes: this.#quotes.board },
      ...{ config: this.#config, cache: this.#cache },
      ...{ nowMillis: this.#clock(), arrivedMillis },
    }
  }

  #reply(read: PendingRead, answer: Answer): void {
    this.#replies[read.gateway]!.write(read.slot, answer)
  }
}

function observerOf(
  portfolios: PortfolioFeed,
  chain: ChainFeed,
  onListing: (instrument: number) => void,
): ViewsObserver {
  return {
    onPosition: (account, instrument, realizedMicros) => {
      portfolios.onPosition(account, instrument, realizedMicros)
      chain.onInstrument(instrument)
    },
    onAccount: (account) => portfolios.onAccount(account),
    onMarks: (underlying, isRemark) => {
      if (isRemark) portfolios.onRemark(underlying)
      chain.onMarks(underlying)
    },
    onBook: (instrument) => chain.onInstrument(instrument),
    onListing: (instrument) => {
      onListing(instrument)
      chain.onListing(instrument)
    },
    onBegin: () => {
      portfolios.onBegin()
      chain.onBegin()
    },
  }
}
