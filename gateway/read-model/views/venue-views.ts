import type { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  fundsClearingMicrosAt,
  fundsDepositsMicrosAt,
  fundsDustMicrosAt,
  fundsFeesMicrosAt,
  fundsInsuranceMicrosAt,
} from '../../../schemas/funds.js'
import {
  LiquidationMode,
  LiquidationState,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import {
  settlementEventExpiryMillisAt,
  settlementEventPhaseAt,
  settlementEventUnderlyingAt,
} from '../../../schemas/settlement.js'
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
  readonly #log: EventLogReader
  /** Underlying and expiry, by both. */
  readonly #pending = new Map<string, readonly [underlying: number, expiryMillis: number]>()

  constructor(log: EventLogReader) {
    this.#log = log
  }

  /** In the order in which they came. */
  pending(): Iterable<readonly [underlying: number, expiryMillis: number]> {
    return this.#pending.values()
  }

  applyFunds(at: number): void {
    const { f64 } = this.#log
    this.funds = {
      feesMicros: f64[(at + fundsFeesMicrosAt) >> 3]!,
      insuranceMicros: f64[(at + fundsInsuranceMicrosAt) >> 3]!,
      dustMicros: f64[(at + fundsDustMicrosAt) >> 3]!,
      clearingMicros: f64[(at + fundsClearingMicrosAt) >> 3]!,
      depositsMicros: f64[(at + fundsDepositsMicrosAt) >> 3]!,
    }
  }

  applySettlement(at: number): void {
    const { i32, f64 } = this.#log
    const underlying = i32[(at + settlementEventUnderlyingAt) >> 2]!
    const expiryMillis = f64[(at + settlementEventExpiryMillisAt) >> 3]!
    const key = `${underlying} ${expiryMillis}`
    const isPending = i32[(at + settlementEventPhaseAt) >> 2] === SettlementPhase.Pending
    if (isPending) this.#pending.set(key, [underlying, expiryMillis])
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
