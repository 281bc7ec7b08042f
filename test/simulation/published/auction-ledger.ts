import {
  HaltMode,
  InstrumentState,
  isFinalRfq,
  OrderFlag,
  OrderStatus,
  RfqKind,
  RfqStatus,
  Side,
  TradingMode,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  type AnyEvent,
  ComboFillEvent,
  EventType,
  HaltEvent,
  InstrumentEvent,
  MmpEvent,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { OutcomeFlag, RfqChange, RfqQuoteChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { mustHold } from '../run/simulation-errors.js'
import { bookOffer, isAsGood, isWithin } from './book-offer.js'
import { type Counting, countingRows, type PublishedTop, shownMicros } from './counting-rows.js'
import { type PublishedOrder, PublishedOrders } from './published-orders.js'
import type { PublishedProviders } from './published-providers.js'
import { RowBars } from './row-bars.js'
import type { SentRows } from './sent-rows.js'
import { isDecided, WaitingOrder } from './waiting-order.js'

const event = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()
const outcome = new OutcomeEvent()
const fill = new ComboFillEvent()
const halt = new HaltEvent()
const instrumentEvent = new InstrumentEvent()
const mmp = new MmpEvent()

/** The only auction times that configurations of the runs use. */
export const auctionMillisChoices = { usual: 15_000, short: 3000, long: 60_000 } as const
/**
 * Number of orders that invited providers, that a quote filled, that a quote filled better than a known book, that
 * passed to their books, and that ended.
 */
const noCounts = { asked: 0, filled: 0, compared: 0, passed: 0, ended: 0 }
const allMillis: readonly number[] = Object.values(auctionMillisChoices)

interface Listed {
  readonly underlying: number
  readonly tradingMode: number
}

/**
 * Checks orders that wait for quotes, from the events alone. Each invites exactly the right providers and has the
 * reference of the book it began with. It waits until its deadline at most, is in no book until then, ends once, and has
 * one answer. The best live quote wins, if it is good enough and better than the book.
 */
export class AuctionLedger {
  #counts = noCounts
  readonly #providers: PublishedProviders
  readonly #sent: SentRows
  readonly #orders = new PublishedOrders()
  readonly #bars = new RowBars()
  readonly #waiting = new Map<string, WaitingOrder>()
  readonly #byOrder = new Map<number, WaitingOrder>()
  /** Orders whose next event must be the begin of their auction. */
  readonly #mustAsk = new Map<number, Counting>()
  /** Ended orders, with true once their sender has an answer. */
  readonly #isAnswered = new Map<number, boolean>()
  readonly #listed = new Map<number, Listed>()
  readonly #protected = new Set<number>()
  #isBegun = false
  #isBootstrap = false

  /** @param providers table that has taken each event already */
  constructor(providers: PublishedProviders, sent: SentRows) {
    this.#providers = providers
    this.#sent = sent
  }

  /** Handles any event. Events that a replay publishes before the bootstrap have no start and are ignored. */
  take(taken: AnyEvent): void {
    const type = taken.recordType
    if (type === EventType.BootstrapBegin) this.#begin(taken.timeMillis)
    if (type === EventType.BootstrapEnd) this.#isBootstrap = false
    if (!this.#isBegun) return
    if (type === EventType.OrderUpdate) this.#noteUpdate(outcome.of(taken))
    this.#orders.take(taken)
    if (type === EventType.OrderUpdate) this.#expect(outcome.of(taken))
    else if (type === EventType.Rfq) this.#noteRfq(event.of(taken))
    else if (type === EventType.RfqQuote) this.#noteQuote(quoteEvent.of(taken))
    else if (type === EventType.Outcome) this.#noteOutcome(outcome.of(taken))
    else if (type === EventType.Fill) this.#noteFill(taken)
    else this.#noteMarket(taken)
  }

  /** Returns the counts since the last call. */
  takeCounts(): Readonly<typeof noCounts> {
    const counts = this.#counts
    this.#counts = noCounts
    return counts
  }

  #count(name: keyof typeof noCounts): void {
    this.#counts = { ...this.#counts, [name]: this.#counts[name] + 1 }
  }

  /** Checks, after everything is read, that nothing is half published. */
  checkBorder(): void {
    for (const [orderId, isAnswered] of this.#isAnswered) {
      mustHold(isAnswered, () => `order ${orderId} has waited, and nobody was answered`)
    }
    for (const { isCanceled, orderId, winner } of this.#waiting.values()) {
      const isWhole = !isCanceled && winner === null
      mustHold(isWhole, () => `order ${orderId} has ended, and its auction has not`)
    }
    mustHold(this.#mustAsk.size === 0, () => 'an order that is to ask providers does neither')
  }

  #begin(nowMillis: number): void {
    this.#isBegun = true
    this.#isBootstrap = true
    this.#waiting.clear()
    this.#byOrder.clear()
    this.#mustAsk.clear()
    this.#isAnswered.clear()
    this.#protected.clear()
    this.#bars.begin(nowMillis)
  }

  #noteMarket(taken: AnyEvent): void {
    const type = taken.recordType
    if (type === EventType.Mmp) this.#protected.add(mmp.of(taken).account)
    else if (type === EventType.Halt) {
      const { mode, underlying } = halt.of(taken)
      if (mode !== HaltMode.Open) this.#stop((one) => this.#underlyingOf(one) === underlying)
    } else if (type === EventType.Instrument) {
      const { instrument, state, tradingMode, underlying } = instrumentEvent.of(taken)
      this.#listed.set(instrument, { tradingMode, underlying })
      if (state !== InstrumentState.Active) this.#stop((one) => one.instrument === instrument)
    }
  }

  #underlyingOf({ instrument }: WaitingOrder): number {
    return this.#listed.get(instrument)?.underlying ?? -1
  }

  #stop(isOf: (waiting: WaitingOrder) => boolean): void {
    for (const waiting of this.#waiting.values()) if (isOf(waiting)) waiting.isHalted = true
  }

  /** Handles an order update before it becomes the order's known state. */
  #noteUpdate({ facts }: OutcomeEvent): void {
    const { filledLots, orderId, status } = facts
    if (orderId === 0) return
    const counting = this.#mustAsk.get(orderId)
    mustHold(counting === undefined, () => `order ${orderId} does not ask who could help it`)
    const waiting = this.#byOrder.get(orderId)
    if (waiting === undefined) return
    if (status === OrderStatus.Canceled) waiting.isCanceled = true
    const isSame = waiting.isCanceled || (this.#isBootstrap && status === OrderStatus.Acked)
    mustHold(isSame && filledLots === 0, () => `order ${orderId} changes while it waits`)
  }

  /** Expects a new order that providers could help to invite them next. */
  #expect({ facts, timeMillis }: OutcomeEvent): void {
    const { orderId, status } = facts
    if (status !== OrderStatus.Acked || this.#isBootstrap) return
    const counting = this.#countingOf(orderId, timeMillis)
    if (counting?.isSure === true && counting.rows.size > 0) this.#mustAsk.set(orderId, counting)
  }

  /** @returns null where the providers' rows for it are unknown */
  #countingOf(orderId: number, nowMillis: number): Counting | null {
    const order = this.#orders.find(orderId)
    const sent = order === null ? null : this.#sent.find(order.clientIdText)
    if (order === null || sent === null) return null
    const mode = this.#listed.get(order.instrument)?.tradingMode ?? 0
    const rows = (mode & TradingMode.Rfq) === 0 ? [] : sent
    const known = { providers: this.#providers, bars: this.#bars }
    return countingRows(order, rows, this.#topOf(order.instrument), known, nowMillis)
  }

  #topOf(instrument: number): PublishedTop {
    const [bid] = this.#orders.resting(instrument, Side.Buy)
    const [ask] = this.#orders.resting(instrument, Side.Sell)
    return { bidMicros: bid?.priceMicros ?? 0, askMicros: ask?.priceMicros ?? 0 }
  }

  #noteRfq(published: RfqEvent): void {
    if (published.kind !== RfqKind.Auction) return
    const { change, orderId, rfqIdAt, status, timeMillis, u8 } = published
    const key = formatUuid(u8, rfqIdAt)
    if (status === RfqStatus.Created || change === RfqChange.Bootstrap) {
      this.#open(published)
      return
    }
    const waiting = this.#waiting.get(key)
    const isOf = waiting !== undefined && waiting.orderId === orderId
    mustHold(isOf, () => `the auction of order ${orderId} is published after its end`)
    if (status === RfqStatus.SentToQps) this.#checkAsked(waiting)
    if (isFinalRfq(status)) this.#close(waiting, status, published.reason, timeMillis)
  }

  #open(published: RfqEvent): void {
    const waiting = new WaitingOrder(published)
    const { key, orderId } = waiting
    const isFree = !this.#waiting.has(key) && !this.#byOrder.has(orderId)
    mustHold(isFree && !this.#isAnswered.has(orderId), () => `order ${orderId} waits twice`)
    this.#waiting.set(key, waiting)
    this.#byOrder.set(orderId, waiting)
    if (published.change === RfqChange.Bootstrap) return
    const order = this.#orders.find(orderId)
    const isSame =
      order !== null &&
      order.status === OrderStatus.Acked &&
      order.filledLots === 0 &&
      order.account === waiting.account &&
      order.instrument === waiting.instrument &&
      order.side === waiting.side &&
      order.sizeLots === waiting.sizeLots &&
      order.priceMicros === waiting.limitMicros
    mustHold(isSame, () => `order ${orderId} waits and is another`)
    this.#checkReference(waiting)
    const lasts = waiting.responseMillis - waiting.createdMillis
    mustHold(allMillis.includes(lasts), () => `order ${orderId} is to wait ${lasts} ms`)
    waiting.counting =
      this.#mustAsk.get(orderId) ?? this.#countingOf(orderId, waiting.createdMillis)
    this.#mustAsk.delete(orderId)
  }

  #checkReference(waiting: WaitingOrder): void {
    const { instrument, limitMicros, mustImprove, orderId, referenceMicros, side } = waiting
    const top = this.#topOf(instrument)
    const bestMicros = side === Side.Buy ? top.askMicros : top.bidMicros
    const isOnBook = bestMicros !== 0 && isWithin(side, limitMicros, bestMicros)
    const isRight =
      mustImprove === isOnBook && referenceMicros === (isOnBook ? bestMicros : limitMicros)
    mustHold(isRight, () => `order ${orderId} has reference ${referenceMicros}, not ${bestMicros}`)
    const isStep = waiting.tickMicros >= 10 ** Math.max(0, String(referenceMicros).length - 5)
    mustHold(isStep, () => `order ${orderId}: a tick of ${waiting.tickMicros} is no step`)
  }

  #checkAsked({ asked, counting, orderId }: WaitingOrder): void {
    this.#count('asked')
    mustHold(asked.size > 0, () => `order ${orderId} waits for nobody`)
    for (const account of asked.keys()) {
      const provider = this.#providers.find(account)
      const canAnswer = provider?.isActive === true && provider.isConnected
      mustHold(canAnswer, () => `order ${orderId} asks account ${account}, which cannot answer`)
      const isCounting = counting === null || !counting.isSure || counting.rows.has(account)
      mustHold(isCounting, () => `order ${orderId} asks account ${account}, whose row counts not`)
    }
    const isWhole = counting === null || !counting.isSure || asked.size === counting.rows.size
    mustHold(isWhole, () => `order ${orderId} does not ask everybody whose row counts`)
  }

  #noteQuote(published: RfqQuoteEvent): void {
    const { change, rfqIdAt, taker, timeMillis, u8 } = published
    const waiting = this.#waiting.get(formatUuid(u8, rfqIdAt))
    if (waiting === undefined) {
      mustHold(taker !== -1, () => 'a quote is published of an auction that has ended')
      return
    }
    if (change === RfqQuoteChange.Executed) this.#checkWinner(waiting, published, timeMillis)
    waiting.noteQuote(published)
  }

  #checkWinner(waiting: WaitingOrder, published: RfqQuoteEvent, nowMillis: number): void {
    const { isHalted, orderId } = waiting
    const key = formatUuid(published.u8, published.quoteIdAt)
    mustHold(!isHalted, () => `quote ${key} of before a halt is executed`)
    const eligible = waiting.eligible(nowMillis)
    const quote = eligible.find((one) => one.key === key)
    mustHold(quote !== undefined, () => `order ${orderId} is filled by a quote that is too bad`)
    const { netPremiumMicros, priceMicros, seq } = quote
    const [best] = eligible
    const isBest =
      best.netPremiumMicros === netPremiumMicros && (best.seq === seq || best.key === key)
    mustHold(isBest, () => `order ${orderId} is filled, and not by its best quote`)
    const order = this.#orders.find(orderId)
    if (order === null) return
    const offer = this.#offerTo(order)
    if (!offer.isSure) return
    this.#count('compared')
    const isBetter = !isAsGood(offer, order, priceMicros)
    mustHold(isBetter, () => `order ${orderId} is filled by a quote, its book is as good`)
  }

  #offerTo(order: PublishedOrder) {
    const other = order.side === Side.Buy ? Side.Sell : Side.Buy
    const resting = this.#orders.resting(order.instrument, other)
    return bookOffer(order, resting, (account) => this.#protected.has(account))
  }

  #close(waiting: WaitingOrder, status: RfqStatus, reason: Result, nowMillis: number): void {
    const { isCanceled, key, orderId, winner } = waiting
    this.#waiting.delete(key)
    this.#byOrder.delete(orderId)
    this.#isAnswered.set(orderId, false)
    if (status === RfqStatus.Failed) this.#count('ended')
    else if (status === RfqStatus.Executed) this.#count('filled')
    else if (waiting.asked.size > 0) this.#count('passed')
    const isTold = isCanceled === (status === RfqStatus.Failed)
    mustHold(isTold, () => `order ${orderId} ends otherwise than its auction`)
    const isWon = (winner !== null) === (status === RfqStatus.Executed)
    mustHold(isWon, () => `the auction of order ${orderId} ends otherwise than its quotes`)
    const isNamed = status === RfqStatus.Executed || reason !== Result.Accepted
    mustHold(isNamed, () => `order ${orderId} waits no more, and nobody says why`)
    if (isDecided(status)) this.#checkDecision(waiting, status, nowMillis)
  }

  #checkDecision(waiting: WaitingOrder, status: RfqStatus, nowMillis: number): void {
    const { asked, counting, isOlder, orderId, responseMillis } = waiting
    const order = this.#orders.find(orderId)
    // A reduce-only order about to be cut goes to its book at once, whatever providers answer.
    const mayBeCut = order === null || (order.flags & OrderFlag.ReduceOnly) !== 0
    const mustHaveAsked = counting?.isSure === true && counting.rows.size > 0
    mustHold(asked.size > 0 || !mustHaveAsked, () => `order ${orderId} asks nobody`)
    const mayBeAnswered = isOlder || waiting.isAnswered
    const isOver = mayBeAnswered || nowMillis > responseMillis || mayBeCut
    mustHold(isOver, () => `order ${orderId} is decided before its time`)
    const isCertain = !isOlder && (!mayBeCut || status === RfqStatus.Executed)
    this.#bar(waiting, nowMillis, isCertain)
    const [best] = waiting.eligible(nowMillis)
    if (status === RfqStatus.Executed || mayBeCut || best === undefined) return
    const offer = this.#offerTo(order)
    const isRight = !offer.isSure || isAsGood(offer, order, best.priceMicros)
    mustHold(isRight, () => `order ${orderId} goes to a book that is worse than its best quote`)
  }

  /** Bars the rows of providers that did not honor them, for a while. */
  #bar(waiting: WaitingOrder, nowMillis: number, isCertain: boolean): void {
    const { asked, counting, instrument, side, sizeLots } = waiting
    for (const [account, { hasDeclined, quote }] of asked) {
      const row = counting?.isSure === true ? counting.rows.get(account) : undefined
      const isSilent = quote === null && !hasDeclined
      if (isSilent) this.#bars.bar(account, instrument, nowMillis, isCertain)
      else if (row === undefined) this.#bars.bar(account, instrument, nowMillis, false)
      else if (sizeLots <= row.sizeLots) {
        const isWorse = quote !== null && !isWithin(side, shownMicros(row, side), quote.priceMicros)
        if (hasDeclined || isWorse) this.#bars.bar(account, instrument, nowMillis, isCertain)
      }
    }
  }

  #noteFill(taken: AnyEvent): void {
    const { cumFilledLots, orderId, rfqIdAt, sizeLots, u8 } = fill.of(taken)
    const waiting = this.#byOrder.get(orderId)
    if (waiting === undefined) return
    const isOwn =
      taken.recordBytes === ComboFillEvent.bytes && formatUuid(u8, rfqIdAt) === waiting.key
    mustHold(isOwn, () => `order ${orderId} trades in its book while it waits`)
    const isWhole = sizeLots === waiting.sizeLots && cumFilledLots === waiting.sizeLots
    mustHold(isWhole, () => `order ${orderId} is filled to ${cumFilledLots} lots by a quote`)
  }

  #noteOutcome({ command, facts, flags }: OutcomeEvent): void {
    if (command !== CommandType.PlaceOrder || (flags & OutcomeFlag.Repeat) !== 0) return
    const { orderId } = facts
    mustHold(!this.#byOrder.has(orderId), () => `order ${orderId} is answered while it waits`)
    const isAnswered = this.#isAnswered.get(orderId)
    if (isAnswered === undefined) return
    mustHold(!isAnswered, () => `order ${orderId} is answered twice`)
    this.#isAnswered.set(orderId, true)
  }
}
