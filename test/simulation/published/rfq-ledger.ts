import { HaltMode, isFinalRfq, RfqKind, RfqStatus, Side } from '../../../schemas/domain.js'
import {
  AccountEvent,
  type AnyEvent,
  ComboFillEvent,
  EventType,
  HaltEvent,
  InstrumentEvent,
  PayoutEvent,
  RfqEvent,
  RfqQuoteEvent,
  TransferEvent,
} from '../../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../../schemas/record-values.js'
import { isMove, rfqMoves } from '../../../schemas/state-moves.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { mustHold } from '../run/simulation-errors.js'

const accountEvent = new AccountEvent()
const halt = new HaltEvent()
const instrumentEvent = new InstrumentEvent()
const fill = new ComboFillEvent()
const payout = new PayoutEvent()
const transfer = new TransferEvent()
const event = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()

const { Accepted, Created, Executed, Expired, Failed, QuotesReceived, SentToQps } = RfqStatus

/** Status changes of an auction: what is executed was eligible, and no quote is accepted. */
const auctionMoves: typeof rfqMoves = [
  ...rfqMoves.filter(({ from, to }) => from !== Accepted && to !== Accepted),
  { from: QuotesReceived, to: Executed, when: 'the best quote wins' },
  { from: SentToQps, to: Expired, when: 'quotes have come, and none of them wins' },
  { from: Created, to: Failed, when: 'its order ends' },
]

interface LedgerLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
}

interface LiveQuote {
  readonly provider: number
  /** True after a halt of its underlying, including `cancel_only`. */
  isBeforeHalt: boolean
  readonly netPremiumMicros: number
  readonly expiresMillis: number
}

/** Trade in progress: what both wallets have received so far, without fees. */
interface Execution {
  readonly quoteKey: string
  readonly provider: number
  readonly netPremiumMicros: number
  fills: number
  takerMicros: number
  providerMicros: number
}

interface LedgerRow {
  readonly taker: number
  readonly isAuction: boolean
  readonly legs: readonly LedgerLeg[]
  status: RfqStatus
  readonly live: Map<string, LiveQuote>
  execution: Execution | null
}

/**
 * Checks requests for quote, from the events alone. Each changes status only as allowed and ends once. An executed
 * quote is live, unexpired, in an open market and newer than the latest halt. Exactly its net premium changes hands, in
 * two fills of every leg.
 */
export class RfqLedger {
  /** Combos executed so far. */
  executed = 0
  /** Number of them that are orders that had waited for quotes. */
  auctioned = 0
  readonly #rows = new Map<string, LedgerRow>()
  readonly #ended = new Set<string>()
  readonly #cashMicros = new Map<number, number>()
  readonly #underlyings = new Map<number, number>()
  readonly #halted = new Set<number>()
  #isBegun = false

  /** Handles any event. Events that a replay publishes before the bootstrap have no start and are ignored. */
  take(taken: AnyEvent): void {
    const type = taken.recordType
    if (type === EventType.BootstrapBegin) this.#begin()
    else if (!this.#isBegun) return
    else if (type === EventType.Rfq) this.#noteRfq(event.of(taken))
    else if (type === EventType.RfqQuote) this.#noteQuote(quoteEvent.of(taken))
    else if (type === EventType.Fill) this.#noteFill(taken)
    else this.#noteMarket(taken)
  }

  #begin(): void {
    this.#isBegun = true
    this.#rows.clear()
    this.#ended.clear()
    this.#cashMicros.clear()
    this.#halted.clear()
  }

  #noteMarket(taken: AnyEvent): void {
    const type = taken.recordType
    if (type === EventType.Account) {
      this.#cashMicros.set(accountEvent.of(taken).account, accountEvent.cashMicros)
    } else if (type === EventType.Payout) {
      this.#cashMicros.set(payout.of(taken).account, payout.cashMicros)
    } else if (type === EventType.Transfer) {
      this.#cashMicros.set(transfer.of(taken).account, transfer.cashMicros)
    } else if (type === EventType.Instrument) {
      const { instrument, underlying } = instrumentEvent.of(taken)
      this.#underlyings.set(instrument, underlying)
    } else if (type === EventType.Halt) {
      const { mode, underlying } = halt.of(taken)
      if (mode === HaltMode.Open) this.#halted.delete(underlying)
      else this.#beginHalt(underlying)
    }
  }

  /** Marks the underlying's quotes, so that none from before a halt may execute. */
  #beginHalt(underlying: number): void {
    this.#halted.add(underlying)
    for (const { legs, live } of this.#rows.values()) {
      if (this.#underlyings.get(legs[0].instrument) !== underlying) continue
      for (const quote of live.values()) quote.isBeforeHalt = true
    }
  }

  #noteRfq(published: RfqEvent): void {
    const { change, rfqIdAt, status, u8 } = published
    const key = formatUuid(u8, rfqIdAt)
    const known = this.#rows.get(key)
    const isNew = change === RfqChange.Bootstrap || status === Created
    if (isNew) {
      const isFree = known === undefined && !this.#ended.has(key)
      mustHold(isFree, () => `request ${key} begins once more`)
      this.#rows.set(key, newRow(published))
      return
    }
    mustHold(known !== undefined, () => `request ${key} is published as ${status} after its end`)
    const may = isMove(known.isAuction ? auctionMoves : rfqMoves, known.status, status)
    mustHold(may, () => `request ${key} goes from ${known.status} to ${status}`)
    known.status = status
    if (status === Accepted) beginTrade(known, published)
    if (status === Executed) this.#endTrade(key, known)
    if (!isFinalRfq(status)) return
    this.#rows.delete(key)
    this.#ended.add(key)
  }

  #noteFill(taken: AnyEvent): void {
    const { account, cashMicros, feeMicros } = fill.of(taken)
    const beforeMicros = this.#cashMicros.get(account) ?? 0
    this.#cashMicros.set(account, cashMicros)
    if (taken.recordBytes !== ComboFillEvent.bytes) return
    const { instrument, rfqIdAt, quoteIdAt, side, sizeLots, u8 } = fill
    const key = formatUuid(u8, rfqIdAt)
    const row = this.#rows.get(key)
    // Nobody accepts the best quote of an auction: its fills show that it has won.
    if (row?.isAuction === true && row.execution === null) beginTrade(row, fill)
    const execution = row?.execution ?? null
    const isOpen = row !== undefined && execution !== null
    mustHold(isOpen, () => `request ${key} has a fill and is not executed`)
    const leg = row.legs[execution.fills >> 1]
    const isTaker = execution.fills % 2 === 1
    execution.fills++
    const isSameLeg =
      leg !== undefined &&
      leg.instrument === instrument &&
      leg.sizeLots === sizeLots &&
      side === (isTaker ? leg.side : opposite(leg.side)) &&
      account === (isTaker ? row.taker : execution.provider) &&
      formatUuid(u8, quoteIdAt) === execution.quoteKey
    mustHold(isSameLeg, () => `request ${key} has another fill than its leg`)
    const isHalted = this.#halted.has(this.#underlyings.get(instrument) ?? -1)
    mustHold(!isHalted, () => `request ${key} is executed in a halt`)
    const gotMicros = cashMicros - beforeMicros + feeMicros
    if (isTaker) execution.takerMicros += gotMicros
    else execution.providerMicros += gotMicros
  }

  #endTrade(key: string, { legs, execution, isAuction }: LedgerRow): void {
    this.executed++
    if (isAuction) this.auctioned++
    mustHold(!isAuction || execution !== null, () => `request ${key} is executed without a fill`)
    if (execution === null) return
    const { fills, netPremiumMicros, providerMicros, takerMicros } = execution
    mustHold(fills === 2 * legs.length, () => `request ${key} has ${fills} fills`)
    const isNet = takerMicros === netPremiumMicros && providerMicros === -netPremiumMicros
    mustHold(isNet, () => {
      return `request ${key}: its taker got ${takerMicros}, its provider ${providerMicros}, for ${netPremiumMicros}`
    })
  }

  #noteQuote(published: RfqQuoteEvent): void {
    const { account, change, expiresMillis, netPremiumMicros, quoteIdAt, rfqIdAt, u8 } = published
    const row = this.#rows.get(formatUuid(u8, rfqIdAt))
    const key = formatUuid(u8, quoteIdAt)
    mustHold(row !== undefined, () => `quote ${key} is published of a request that has ended`)
    const isAgain = change === RfqQuoteChange.Bootstrap && published.count > 0
    if (change === RfqQuoteChange.Made || isAgain) {
      const quote = { provider: account, netPremiumMicros, expiresMillis }
      row.live.set(key, { ...quote, isBeforeHalt: false })
    } else if (endsQuote.has(change)) {
      row.live.delete(key)
    }
  }
}

/** @param published the event that names the quote: its acceptance, or the first fill */
function beginTrade(row: LedgerRow, published: RfqEvent | ComboFillEvent): void {
  const { quoteIdAt, timeMillis, u8 } = published
  const quoteKey = formatUuid(u8, quoteIdAt)
  const quote = row.live.get(quoteKey)
  mustHold(quote !== undefined, () => `quote ${quoteKey} is executed, and is not live`)
  const { expiresMillis, netPremiumMicros, provider } = quote
  mustHold(!quote.isBeforeHalt, () => `quote ${quoteKey} from before a halt is executed`)
  mustHold(timeMillis <= expiresMillis, () => `quote ${quoteKey} is executed after its end`)
  mustHold(provider !== row.taker, () => `account ${provider} trades with itself`)
  row.execution = {
    quoteKey,
    provider,
    netPremiumMicros,
    fills: 0,
    takerMicros: 0,
    providerMicros: 0,
  }
}

/** Changes after which a quote is no longer live. */
const endsQuote: ReadonlySet<number> = new Set<number>([
  RfqQuoteChange.Replaced,
  RfqQuoteChange.Withdrawn,
  RfqQuoteChange.Expired,
  RfqQuoteChange.MarginRejected,
])

function newRow(published: RfqEvent): LedgerRow {
  const legs = Array.from({ length: published.count }, (_, index) => {
    const { instrument, side, sizeLots } = published.legs(index)
    return { instrument, side, sizeLots }
  })
  const { account: taker, kind, status } = published
  const isAuction = kind === RfqKind.Auction
  return { taker, isAuction, legs, status, live: new Map(), execution: null }
}

function opposite(side: Side): Side {
  return side === Side.Buy ? Side.Sell : Side.Buy
}
