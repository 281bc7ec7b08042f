import { premiumMicros, valueMicros } from '../../../engine/risk/money.js'
import { Side } from '../../../schemas/domain.js'
import type { FillEvent, PayoutEvent, TransferEvent } from '../../../schemas/generated/events.js'
import { type Holding, Holdings, tradeInto } from './holdings.js'
import { Participants } from './participants.js'
import { Standings } from './standings.js'

/** Listener of a ledger's changes. All methods are optional. */
export interface LedgerListener {
  /** A competition was first mentioned by an event, and is about to begin. */
  onOpen?(ledger: Ledger): void
  /** The ledger applies events from here on. */
  onBegin?(ledger: Ledger): void
  /** A participant's row has changed. */
  onRow?(ledger: Ledger, row: number): void
  onHolding?(ledger: Ledger, holding: Holding): void
  /** Mark at which positions from before the competition count. */
  onStartMark?(ledger: Ledger, instrument: number, markMicros: number): void
  /** The competition has ended, and its holdings and marks are cleared. */
  onEnd?(ledger: Ledger): void
}

/**
 * Results of all participants in one competition, from events alone. Prices count within their band: a position has a
 * cost at the counted prices, in addition to what was paid. Both sides of a trade count the same price, so a pair of
 * wallets gains nothing from a price outside the band.
 */
export class Ledger {
  readonly id: number
  readonly participants = new Participants()
  readonly holdings = new Holdings()
  readonly #listener: LedgerListener
  /** Exact ranks; null if not maintained. */
  readonly standings: Standings | null
  /** True between the competition's begin and end, while it applies events. */
  isActive = false
  /** Incremented with each change of a result. */
  version = 0
  /** Marks by instrument, from just before the begin and just before the end. */
  readonly #startMarks = new Map<number, number>()
  readonly #endMarks = new Map<number, number>()

  constructor(id: number, listener: LedgerListener, hasRanks: boolean) {
    this.id = id
    this.#listener = listener
    this.standings = hasRanks ? new Standings(this.participants) : null
  }

  fill(wallet: string, event: FillEvent): void {
    const { bandLowerMicros, bandUpperMicros, marginMicros, sizeLots } = event
    const { participants } = this
    const lots = event.side === Side.Buy ? sizeLots : -sizeLots
    const row = participants.rowFor(wallet)
    const holding = this.#holdingBefore(row, event, lots)
    const paid = paidBy(holding, event, lots)
    const countsMicros = within(event.priceMicros, bandLowerMicros, bandUpperMicros)
    const premium =
      countsMicros === event.priceMicros ? paid : premiumMicros(countsMicros, sizeLots)
    const realized = this.#trade(holding, event, lots, premium)
    this.standings?.take(row)
    participants.pnlMicros[row]! += realized - event.feeMicros
    participants.trades[row]!++
    participants.addVolume(row, event.notionalMicros)
    if (marginMicros > participants.marginMicros[row]!)
      participants.marginMicros[row] = marginMicros
    this.#changed(row)
  }

  /** Applies a position that changes hands in a liquidation, at the engine's values. */
  transfer(wallet: string, event: TransferEvent): void {
    const lots = event.side === Side.Buy ? event.sizeLots : -event.sizeLots
    const row = this.participants.rowFor(wallet)
    const holding = this.#holdingBefore(row, event, lots)
    this.#realize(row, this.#trade(holding, event, lots, event.premiumMicros))
  }

  payout(wallet: string, event: PayoutEvent): void {
    const { costMicros, feeMicros, instrument, positionLots, valueMicros: paid } = event
    const row = this.participants.rowFor(wallet)
    const holding =
      this.holdings.find(row, instrument) ??
      this.#carried(row, instrument, positionLots, costMicros)
    const realized = paid - holding.costMicros
    holding.lots = 0
    this.holdings.set(holding)
    this.#listener.onHolding?.(this, holding)
    this.#realize(row, realized - feeMicros)
  }

  /** Notes a mark from just before the begin or the end of the competition. */
  noteMark(instrument: number, markMicros: number): void {
    if (this.isActive) {
      this.#endMarks.set(instrument, markMicros)
      return
    }
    this.#startMarks.set(instrument, markMicros)
    this.#listener.onStartMark?.(this, instrument, markMicros)
  }

  /** Realizes open losses, and stops applying events. */
  end(): void {
    for (const holding of this.holdings.all) {
      const mark = this.#endMarks.get(holding.instrument)
      if (mark === undefined) continue
      const openMicros = valueMicros(mark, holding.lots) - holding.costMicros
      if (openMicros < 0) this.#realize(holding.row, openMicros)
    }
    this.isActive = false
    this.#startMarks.clear()
    this.#endMarks.clear()
    this.holdings.clear()
    this.#listener.onEnd?.(this)
  }

  /** Returns the position before an event. */
  #holdingBefore(row: number, event: FillEvent | TransferEvent, lots: number): Holding {
    const { instrument } = event
    const known = this.holdings.find(row, instrument)
    if (known !== null) return known
    const lotsBefore = event.positionLots - lots
    if (lotsBefore === 0) return { row, instrument, lots: 0, costMicros: 0, paidMicros: 0 }
    const premium = premiumMicros(event.priceMicros, Math.abs(lots))
    const signed = lots > 0 ? premium : -premium
    const paidMicros = event.costMicros - signed - event.realizedMicros
    return this.#carried(row, instrument, lotsBefore, paidMicros)
  }

  /**
   * Returns a position from before the competition. It counts at its paid cost, but no better than its mark at the
   * begin: earlier gains are not results of the competition.
   */
  #carried(row: number, instrument: number, lots: number, paidMicros: number): Holding {
    const mark = this.#startMarks.get(instrument)
    const worth = mark === undefined ? paidMicros : valueMicros(mark, lots)
    return { row, instrument, lots, costMicros: Math.max(paidMicros, worth), paidMicros }
  }

  #trade(
    holding: Holding,
    { costMicros }: FillEvent | TransferEvent,
    lots: number,
    premium: number,
  ): number {
    const realized = tradeInto(holding, lots, premium)
    holding.paidMicros = costMicros
    this.holdings.set(holding)
    this.#listener.onHolding?.(this, holding)
    return realized
  }

  #realize(row: number, pnlMicros: number): void {
    this.standings?.take(row)
    this.participants.pnlMicros[row]! += pnlMicros
    this.#changed(row)
  }

  #changed(row: number): void {
    this.version++
    this.standings?.put(row)
    this.#listener.onRow?.(this, row)
  }
}

/** Returns the amount paid or received for an event's lots. For a combo it is not exactly price times size. */
function paidBy(holding: Holding, event: FillEvent, lots: number): number {
  const signed = event.costMicros - holding.paidMicros - event.realizedMicros
  return Math.max(0, lots > 0 ? signed : -signed)
}

function within(micros: number, lower: number, upper: number): number {
  return Number.isNaN(lower) ? micros : Math.min(upper, Math.max(lower, micros))
}
