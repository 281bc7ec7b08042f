import type { FundsEvent, SettlementEvent } from '../../../schemas/generated/events.js'
import {
  LiquidationMode,
  LiquidationState,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import type { EventViews } from './event-views.js'
import type { VenueGauges } from './venue-gauges.js'

type FundGauges = Pick<
  VenueGauges,
  'feesMicros' | 'insuranceMicros' | 'dustMicros' | 'clearingMicros' | 'depositsMicros'
>

/** The venue's own balances and the expiries without a price, as the events tell them. */
export class VenueViews {
  funds: FundGauges = {
    feesMicros: 0,
    insuranceMicros: 0,
    dustMicros: 0,
    clearingMicros: 0,
    depositsMicros: 0,
  }
  /** Underlying and expiry, by both. */
  readonly #pending = new Map<string, readonly [underlying: number, expiryMillis: number]>()

  /** In the order in which they came. */
  pending(): Iterable<readonly [underlying: number, expiryMillis: number]> {
    return this.#pending.values()
  }

  applyFunds(event: FundsEvent): void {
    const { feesMicros, insuranceMicros, dustMicros, clearingMicros, depositsMicros } = event
    this.funds = { feesMicros, insuranceMicros, dustMicros, clearingMicros, depositsMicros }
  }

  applySettlement({ underlying, expiryMillis, phase }: SettlementEvent): void {
    const key = `${underlying} ${expiryMillis}`
    if (phase === SettlementPhase.Pending) this.#pending.set(key, [underlying, expiryMillis])
    else this.#pending.delete(key)
  }
}

/** How the venue stands now. */
export function venueGaugesOf({ venue, liquidations, market }: EventViews): VenueGauges {
  const { underlyingNames } = market.instruments
  const pending = [...venue.pending()].map(([underlying, expiryMillis]) => ({
    underlying: underlyingNames[underlying] ?? '',
    expiryMillis,
  }))
  const { PreLiquidation, InLiquidation } = LiquidationState
  return {
    ...venue.funds,
    graceCount: liquidations.count(PreLiquidation, LiquidationMode.None),
    partialCount: liquidations.count(InLiquidation, LiquidationMode.Partial),
    fullCount: liquidations.count(InLiquidation, LiquidationMode.Full),
    waitingCount: liquidations.waitingCount,
    pendingCount: pending.length,
    pending,
  }
}
