import { premiumMicros, valueMicros } from '../../../engine/risk/money.js'
import { Side } from '../../../schemas/domain.js'
import type { FillEvent, PayoutEvent, TransferEvent } from '../../../schemas/generated/events.js'
import { type Holding, Holdings, tradeInto } from './holdings.js'
import { Participants } from './participants.js'
import { Standings } from './standings.js'

/** What hears of changes, of those that it wants to hear of. */
export interface LedgerListener {
  /** An event has named the competition first: it is about to begin. */
  onOpen?(ledger: Ledger): void
  /** From here on events count. */
  onBegin?(ledger: Ledger): void
  /** Of a participant. */
  onRow?(ledger: Ledger, row: number): void
  onHolding?(ledger: Ledger, holding: Holding): void
  /** What positions from before the span count at. */
  onStartMark?(ledger: Ledger, instrument: number, markMicros: number): void
  /** Holdings and marks are gone: nothing counts any more. */
  onEnd?(ledger: Ledger): void
}

/**
 * What everybody has achieved in one competition, out of events alone. Prices count within their band: a position is
 * carried at what it has cost at the prices that count, beside what was paid. Whatever one side gains by a price that is
 * cut the other does not lose and the reverse, since both count the same one: a pair of wallets makes nothing of it.
 */
export class Ledger {
  readonly id: number
  readonly participants = new Participants()
  readonly holdings = new Holdings()
  readonly #listener: LedgerListener
  /** Exact ranks; null: nobody asks for them. */
  readonly standings: Standings | null
  /** Whether events count: it has begun, and has not ended. */
  isActive = false
  /** Rises with each change of what anybody has achieved. */
  version = 0
  /** By instrument, as told right before the span, and right before its end. */
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

  /** A position that changes hands in a liquidation, at what the engine makes of it. */
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

  /** A mark in force, right before the span or right before its end. */
  noteMark(instrument: number, markMicros: number): void {
    if (this.isActive) {
      this.#endMarks.set(instrument, markMicros)
      return
    }
    this.#startMarks.set(instrument, markMicros)
    this.#listener.onStartMark?.(this, instrument, markMicros)
  }

  /** Losses that are open count from here on, and nothing else any more. */
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

  /** The position before an event. */
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
   * A position from before the span. It counts at what was paid, but no better than its mark as the span began: what it
   * had gained by then is no result of the competition.
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

/** What was paid for an event's lots, or got: of a package it is not exactly price times size. */
function paidBy(holding: Holding, event: FillEvent, lots: number): number {
  const signed = event.costMicros - holding.paidMicros - event.realizedMicros
  return Math.max(0, lots > 0 ? signed : -signed)
}

function within(micros: number, lower: number, upper: number): number {
  return Number.isNaN(lower) ? micros : Math.min(upper, Math.max(lower, micros))
}
