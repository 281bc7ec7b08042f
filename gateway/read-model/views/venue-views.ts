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

/** Expiry without a settlement price. */
interface PendingExpiry {
  readonly underlying: string
  readonly expiryMillis: number
}

/** The venue's own balances, micros. */
type FundGauges = Readonly<Record<keyof typeof noFunds, number>>

/** State of the venue itself, for the operator. */
export interface VenueGauges extends FundGauges {
  /** Wallets in their grace period, in partial liquidation, in auction. */
  readonly graceCount: number
  readonly partialCount: number
  readonly fullCount: number
  /** Wallets whose check waits for a mark. */
  readonly waitingCount: number
  /** Expiries that wait for the operator's price: their number, and the first of them. */
  readonly pendingCount: number
  readonly pending: readonly PendingExpiry[]
}

/** Halt mode of one underlying, set by the operator or by a clock alarm. */
export interface HaltRow {
  readonly underlying: string
  readonly mode: HaltMode
  readonly number: number
  /** True if it has instruments that are not settled, which need an index. */
  readonly isLive: boolean
  /** Engine time of the last change of the mode; 0: never changed. */
  readonly sinceMillis: number
}

/** Halts as the read model publishes them to the other threads. */
export interface HaltBoard {
  readonly underlyings: readonly HaltRow[]
  /** Wallets that the engine has stopped: their number, and the time of the latest stop. */
  readonly stopped: { readonly count: number; readonly sinceMillis: number }
}

export const pendingShownMax = 166

const noFunds = {
  feesMicros: 0,
  insuranceMicros: 0,
  dustMicros: 0,
  clearingMicros: 0,
  /** Withdrawn, and neither delivered nor refunded yet. */
  inTransitMicros: 0,
  /** Total that the operator has paid into the insurance fund. */
  depositsMicros: 0,
}

/** The venue's own balances and the expiries without a price, from the events. */
export class VenueViews {
  funds: FundGauges = noFunds
  /** Underlying and expiry, by both. */
  readonly #pending = new Map<string, readonly [underlying: number, expiryMillis: number]>()

  /** Returns them in order of arrival. */
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

/** Returns the current state of the venue. */
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

/** Returns the current halts. */
export function haltBoardOf({ accounts, market }: EventViews): HaltBoard {
  const { stopped } = accounts
  let sinceMillis = 0
  for (const stopMillis of stopped.values()) sinceMillis = Math.max(sinceMillis, stopMillis)
  return { underlyings: haltRowsOf(market), stopped: { count: stopped.size, sinceMillis } }
}

/** Returns a row for every underlying with a known name, that is with a listed instrument. */
export function haltRowsOf({ instruments, haltModes, haltedMillis }: MarketViews): HaltRow[] {
  return instruments.underlyingNames.flatMap((underlying, number) => {
    const isLive = (instruments.ofUnderlying[number]?.length ?? 0) > 0
    return underlying === ''
      ? []
      : [
          {
            ...{ underlying, mode: haltModes[number] as HaltMode, number, isLive },
            sinceMillis: haltedMillis[number]!,
          },
        ]
  })
}
