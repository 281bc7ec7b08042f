import type { HaltMode } from '../../../schemas/domain.js'
import type {
  DirectiveEvent,
  FundsEvent,
  SettlementEvent,
} from '../../../schemas/generated/events.js'
import {
  LiquidationMode,
  LiquidationState,
  SettlementPhase,
} from '../../../schemas/record-values.js'
import type { EventViews } from './event-views.js'
import type { MarketViews } from './market-views.js'

/** An expiry whose settlement price is missing. */
interface PendingExpiry {
  readonly underlying: string
  readonly expiryMillis: number
}

/** The venue's own balances, micros. */
type FundGauges = Readonly<Record<keyof typeof noFunds, number>>

/** How the venue itself stands, as the operator is shown it. */
export interface VenueGauges extends FundGauges {
  /** Wallets in their grace period, in the partial phase, in auction. */
  readonly graceCount: number
  readonly partialCount: number
  readonly fullCount: number
  /** Wallets whose check waits for a mark. */
  readonly waitingCount: number
  /** Expiries that wait for the operator's price: all of them, and the first of them. */
  readonly pendingCount: number
  readonly pending: readonly PendingExpiry[]
}

/** How one underlying is halted, by its operator or by a clock alarm. */
export interface HaltRow {
  readonly underlying: string
  readonly mode: HaltMode
  readonly number: number
  /** True if it has instruments that are not settled, which need an index. */
  readonly isLive: boolean
}

export const pendingShownMax = 166

const noFunds = {
  feesMicros: 0,
  insuranceMicros: 0,
  dustMicros: 0,
  clearingMicros: 0,
  /** Withdrawn, and neither delivered nor given back yet. */
  inTransitMicros: 0,
  /** What the operator has paid into the insurance fund so far. */
  depositsMicros: 0,
}

/** The venue's own balances and the expiries without a price, as the events tell them. */
export class VenueViews {
  funds: FundGauges = noFunds
  /** Underlying and expiry, by both. */
  readonly #pending = new Map<string, readonly [underlying: number, expiryMillis: number]>()

  /** In the order in which they came. */
  pending(): Iterable<readonly [underlying: number, expiryMillis: number]> {
    return this.#pending.values()
  }

  applyFunds(event: FundsEvent): void {
    const { feesMicros, insuranceMicros, dustMicros, clearingMicros, depositsMicros } = event
    const { inTransitMicros } = this.funds
    const balances = { feesMicros, insuranceMicros, dustMicros, clearingMicros, inTransitMicros }
    this.funds = { ...balances, depositsMicros }
  }

  applyDirective({ inTransitMicros }: DirectiveEvent): void {
    this.funds = { ...this.funds, inTransitMicros }
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
  const pending = [...venue.pending()]
  const { PreLiquidation, InLiquidation } = LiquidationState
  return {
    ...venue.funds,
    graceCount: liquidations.count(PreLiquidation, LiquidationMode.None),
    partialCount: liquidations.count(InLiquidation, LiquidationMode.Partial),
    fullCount: liquidations.count(InLiquidation, LiquidationMode.Full),
    waitingCount: liquidations.waitingCount,
    pendingCount: pending.length,
    pending: pending.slice(0, pendingShownMax).map(([underlying, expiryMillis]) => ({
      underlying: underlyingNames[underlying] ?? '',
      expiryMillis,
    })),
  }
}

/** Of every underlying whose name is known: one is listed of it. */
export function haltRowsOf({ instruments, haltModes }: MarketViews): HaltRow[] {
  return instruments.underlyingNames.flatMap((underlying, number) => {
    const isLive = (instruments.ofUnderlying[number]?.length ?? 0) > 0
    return underlying === ''
      ? []
      : [{ underlying, mode: haltModes[number] as HaltMode, number, isLive }]
  })
}
