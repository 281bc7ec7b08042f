import { EventType } from '../../schemas/generated/events.js'
import type { PriceSource, SettlementPhase } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import {
  payoutAccountAt,
  payoutBorneMicrosAt,
  payoutBytes,
  payoutCashMicrosAt,
  payoutCostMicrosAt,
  payoutFeeMicrosAt,
  payoutIdAt,
  payoutInstrumentAt,
  payoutPayoffMicrosAt,
  payoutPositionLotsAt,
  payoutPriceMicrosAt,
  payoutValueMicrosAt,
  payoutWalletAt,
  seenEventAccountAt,
  seenEventCountAt,
  seenEventIdsAt,
  seenEventValueAt,
  seenEventWalletAt,
  settlementEventBorneMicrosAt,
  settlementEventBytes,
  settlementEventDustMicrosAt,
  settlementEventExpiryMillisAt,
  settlementEventPhaseAt,
  settlementEventPriceMicrosAt,
  settlementEventSourceAt,
  settlementEventUnderlyingAt,
  settlementEventValidAt,
} from '../../schemas/settlement.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'

/** What a Settlement event says. */
export interface SettlementFacts {
  readonly underlying: number
  readonly expiryMillis: number
  readonly phase: SettlementPhase
  /** Estimate up to `Pending`, then the price; NaN: none. */
  readonly priceMicros: number
  readonly source: PriceSource
  readonly validCount: number
}

/** One position's settlement, as the Payout event tells it. */
export class PayoutFacts {
  payoutId = 0
  account = 0
  instrument = 0
  /** Signed, as it was. */
  positionLots = 0
  payoffMicros = 0
  /** As it was paid. */
  valueMicros = 0
  /** What the value was lowered by. */
  borneMicros = 0
  feeMicros = 0
  costMicros = 0
  cashMicros = 0
  /** Settlement price of the underlying. */
  priceMicros = 0
}

/** An expiry in a new phase, or with a new estimate. */
export function publishSettlement(
  state: CoreState,
  facts: SettlementFacts,
  dustMicros = 0,
  borneMicros = 0,
): void {
  const at = state.sink.tryClaim(settlementEventBytes, EventType.Settlement)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  i32[(at + settlementEventUnderlyingAt) >> 2] = facts.underlying
  i32[(at + settlementEventPhaseAt) >> 2] = facts.phase
  f64[(at + settlementEventExpiryMillisAt) >> 3] = facts.expiryMillis
  f64[(at + settlementEventPriceMicrosAt) >> 3] = facts.priceMicros
  f64[(at + settlementEventDustMicrosAt) >> 3] = dustMicros
  f64[(at + settlementEventBorneMicrosAt) >> 3] = borneMicros
  i32[(at + settlementEventSourceAt) >> 2] = facts.source
  i32[(at + settlementEventValidAt) >> 2] = facts.validCount
}

/** A position was paid out. */
export function publishPayout(state: CoreState, facts: PayoutFacts): void {
  const at = state.sink.tryClaim(payoutBytes, EventType.Payout)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  f64[(at + payoutIdAt) >> 3] = facts.payoutId
  f64[(at + payoutPositionLotsAt) >> 3] = facts.positionLots
  f64[(at + payoutPayoffMicrosAt) >> 3] = facts.payoffMicros
  f64[(at + payoutValueMicrosAt) >> 3] = facts.valueMicros
  f64[(at + payoutBorneMicrosAt) >> 3] = facts.borneMicros
  f64[(at + payoutFeeMicrosAt) >> 3] = facts.feeMicros
  f64[(at + payoutCostMicrosAt) >> 3] = facts.costMicros
  f64[(at + payoutCashMicrosAt) >> 3] = facts.cashMicros
  f64[(at + payoutPriceMicrosAt) >> 3] = facts.priceMicros
  i32[(at + payoutInstrumentAt) >> 2] = facts.instrument
  i32[(at + payoutAccountAt) >> 2] = facts.account
  state.accounts.addresses.write(facts.account, u8, at + payoutWalletAt)
  i32[(at + payoutWalletAt + 20) >> 2] = 0
}

/** A wallet has seen payouts, or wants them unseen. @param idsAt of the ids in `views`, in bytes. */
export function publishPayoutsSeen(
  state: CoreState,
  account: number,
  isSeen: boolean,
  views: RecordViews,
  idsAt: number,
  count: number,
): void {
  const at = state.sink.tryClaim(seenEventIdsAt + count * 8, EventType.PayoutsSeen)
  if (at === unheard) return
  const { f64, i32, u8 } = state.sink.views
  i32[(at + seenEventAccountAt) >> 2] = account
  i32[(at + seenEventValueAt) >> 2] = isSeen ? 1 : 0
  state.accounts.addresses.write(account, u8, at + seenEventWalletAt)
  i32[(at + seenEventCountAt) >> 2] = count
  for (let i = 0; i < count; i++) {
    f64[((at + seenEventIdsAt) >> 3) + i] = views.f64[(idsAt >> 3) + i]
  }
}
