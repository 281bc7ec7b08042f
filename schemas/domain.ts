// Enumerations that gateways and engine share, as small integers, with their wire names.

export const Side = { Buy: 0, Sell: 1 } as const
export type Side = (typeof Side)[keyof typeof Side]
export const sideNames = ['Buy', 'Sell'] as const

/** `None` as the right: the instrument is a perp, not an option. */
export const Right = { Call: 0, Put: 1, None: 2 } as const
export type Right = (typeof Right)[keyof typeof Right]
export type OptionRight = Exclude<Right, typeof Right.None>
export const rightNames = ['call', 'put'] as const

/** Indexed by whether an instrument is a perp. */
export const instrumentTypeNames = ['option', 'perp'] as const

/** Expiry of instruments that never expire. The latest time that a `Date` can represent, so it is after every other. */
export const neverMillis = 8_640_000_000_000_000

/** `Alo`, add liquidity only, for perps: rests like `Gtc`, and is rejected if it would trade. */
export const Tif = { Gtc: 0, Ioc: 1, Fok: 2, Alo: 3 } as const
export type Tif = (typeof Tif)[keyof typeof Tif]
export const tifNames = ['gtc', 'ioc', 'fok', 'alo'] as const
/** Values for options, at the same indexes. */
export const optionTifNames = ['gtc', 'ioc', 'fok'] as const

export const Route = { BestExecution: 0, BookOnly: 1, RfqOnly: 2 } as const
export type Route = (typeof Route)[keyof typeof Route]
export const routeNames = ['best_execution', 'book_only', 'rfq_only'] as const

/** `None` is the status of an order that has no id yet or never got one. */
export const OrderStatus = {
  None: 0,
  Acked: 1,
  Open: 2,
  PartiallyFilled: 3,
  Filled: 4,
  Canceled: 5,
  Rejected: 6,
} as const
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus]
export const orderStatusNames = [
  '',
  'ACKED',
  'OPEN',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELED',
  'REJECTED',
] as const

/** `Liquidation`: the engine's own order, for an account in liquidation. */
export const OrderFlag = {
  ReduceOnly: 1,
  MmpEnabled: 2,
  HasBuilder: 4,
  Liquidation: 8,
  /**
   * Set by the core alone: the order was admitted below initial margin as risk-reducing. It reserves nothing, and every
   * check considers its fills.
   */
  Exempt: 16,
} as const

export const InstrumentState = {
  Active: 0,
  ExpiredPendingPrice: 1,
  Settled: 2,
  Deleted: 3,
} as const
export type InstrumentState = (typeof InstrumentState)[keyof typeof InstrumentState]
export const instrumentStateNames = [
  'ACTIVE',
  'EXPIRED_PENDING_PRICE',
  'SETTLED',
  'DELETED',
] as const

/** Bits of a trading mode: the book, RFQs, both, or neither (disabled). */
export const TradingMode = { Orderbook: 1, Rfq: 2, Both: 3 } as const

export const Tier = { Default: 0, Tier1: 1, Tier2: 2, MarketMaker: 3 } as const
export type Tier = (typeof Tier)[keyof typeof Tier]
export const tierNames = ['default', 'tier1', 'tier2', 'market_maker'] as const
/** Names of tiers in requests, and the tier of each. */
export const tierInputs = [...tierNames, 'mm'] as const
export const tiersOfInputs: readonly Tier[] = [...Object.values(Tier), Tier.MarketMaker]

export const MarginMode = { Standard: 0, Portfolio: 1 } as const
export type MarginMode = (typeof MarginMode)[keyof typeof MarginMode]
export const marginModeNames = ['standard', 'portfolio'] as const

export const SelfTradeMode = { CancelTaker: 0, CancelMaker: 1, CancelBoth: 2 } as const
export type SelfTradeMode = (typeof SelfTradeMode)[keyof typeof SelfTradeMode]
export const selfTradeModeNames = ['cancel_taker', 'cancel_maker', 'cancel_both'] as const

export const HaltMode = { Open: 0, CancelOnly: 1, Halted: 2 } as const
export type HaltMode = (typeof HaltMode)[keyof typeof HaltMode]
export const haltModeNames = ['open', 'cancel_only', 'halted'] as const
/** Causes of a halt. `operator`: a halt by the operator, or one after an accepted loss. */
export const haltReasons = ['clock', 'invariant', 'operator'] as const
export type HaltReason = (typeof haltReasons)[number]

/** Roles of a node. `single`: the venue has no other node. */
export const nodeRoles = ['single', 'primary', 'follower'] as const

/**
 * Relation of engine time to the clock. `None`: it follows the clock. `Raised`: the clock was stepped, and trading is
 * halted. `Accepted`: the operator has accepted the clock, and engine time follows it once it is not ahead of it.
 */
export const ClockAlarm = { None: 0, Raised: 1, Accepted: 2 } as const
export type ClockAlarm = (typeof ClockAlarm)[keyof typeof ClockAlarm]

/** Time that an operator continues with after a clock step. */
export const ClockChoice = { Wall: 0, Engine: 1 } as const
export type ClockChoice = (typeof ClockChoice)[keyof typeof ClockChoice]
export const clockChoiceNames = ['wall', 'engine'] as const

export const Preset = { Development: 0, Testnet: 1, MainnetAlpha: 2 } as const
export type Preset = (typeof Preset)[keyof typeof Preset]
export const presetNames = ['development', 'testnet', 'mainnet-alpha'] as const

/** Status of an address as a builder, set by the operator; journaled. */
export const BuilderStatus = { Unlisted: 0, Active: 1, Suspended: 2 } as const
export type BuilderStatus = (typeof BuilderStatus)[keyof typeof BuilderStatus]
export const builderStatusNames = ['unlisted', 'active', 'suspended'] as const

/** Status of a wallet as a quote provider, set by the operator; journaled. */
export const ProviderStatus = { Active: 1, Suspended: 2 } as const
export type ProviderStatus = (typeof ProviderStatus)[keyof typeof ProviderStatus]

/** Progress of an RFQ; final from `Executed` on. */
export const RfqStatus = {
  Created: 0,
  SentToQps: 1,
  QuotesReceived: 2,
  Accepted: 3,
  Executed: 4,
  NoQuotes: 5,
  Expired: 6,
  Failed: 7,
} as const
export type RfqStatus = (typeof RfqStatus)[keyof typeof RfqStatus]
export const rfqStatusNames = [
  'created',
  'sent_to_qps',
  'quotes_received',
  'accepted',
  'executed',
  'no_quotes',
  'expired',
  'failed',
] as const

export function isFinalRfq(status: RfqStatus): boolean {
  return status >= RfqStatus.Executed
}

/** Action of a directive. */
export const DirectiveAction = {
  SendAsset: 0,
  LimitOrder: 1,
  CancelByOid: 2,
  CancelByCloid: 3,
  SetAbstraction: 4,
  UpdateApiWallet: 5,
} as const
export type DirectiveAction = (typeof DirectiveAction)[keyof typeof DirectiveAction]
/** Action keys of directives. */
export const directiveActionNames = [
  'hl_send_asset',
  'hl_limit_order',
  'hl_cancel_by_oid',
  'hl_cancel_by_cloid',
  'hl_set_abstraction',
  'hc_update_api_wallet',
] as const

/** Result of a directive for the account. */
export const DomainStatus = {
  Accepted: 0,
  Rejected: 1,
  PendingChainEffect: 2,
  PendingManualReview: 3,
  Completed: 4,
  Failed: 5,
} as const
export type DomainStatus = (typeof DomainStatus)[keyof typeof DomainStatus]
export const domainStatusNames = [
  'accepted',
  'rejected',
  'pending_chain_effect',
  'pending_manual_review',
  'completed',
  'failed',
] as const

/** Delivery progress of a directive. It only increases, and is final from `CoreRejected` on. */
export const DeliveryStatus = {
  Pending: 0,
  Broadcasted: 1,
  Included: 2,
  PendingCoreDelivery: 3,
  AwaitingPortfolioSnapshot: 4,
  ManualReview: 5,
  CoreRejected: 6,
  Finalized: 7,
  Reverted: 8,
  Expired: 9,
  DeadLettered: 10,
} as const
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus]
export const deliveryStatusNames = [
  'pending',
  'broadcasted',
  'included',
  'pending_core_delivery',
  'awaiting_portfolio_snapshot',
  'manual_review',
  'core_rejected',
  'finalized',
  'reverted',
  'expired',
  'dead_lettered',
] as const

/** The operator's finding about a stuck withdrawal. */
export const WithdrawalVerdict = { Delivered: 0, Returned: 1 } as const
export type WithdrawalVerdict = (typeof WithdrawalVerdict)[keyof typeof WithdrawalVerdict]
export const withdrawalVerdictNames = ['delivered', 'returned'] as const

export function isFinalDelivery(status: DeliveryStatus): boolean {
  return status >= DeliveryStatus.CoreRejected
}

/**
 * `Auto`: the first quote within its limit executes without an acceptance. `Auction`: an order with best execution, for
 * which providers are asked before the book; it is no client's RFQ.
 */
export const RfqKind = { Plain: 0, Auto: 1, Auction: 2 } as const
export type RfqKind = (typeof RfqKind)[keyof typeof RfqKind]

/** Metric by which a competition ranks wallets. */
export const CompetitionMetric = { Pnl: 1, Volume: 2, Efficiency: 3 } as const
export type CompetitionMetric = (typeof CompetitionMetric)[keyof typeof CompetitionMetric]
/** From `CompetitionMetric.Pnl` on. */
export const competitionMetricNames = ['pnl', 'volume', 'efficiency'] as const

/** Not started, running, ended. */
export const CompetitionState = { Pre: 1, Active: 2, Post: 3 } as const
export type CompetitionState = (typeof CompetitionState)[keyof typeof CompetitionState]
/** From `CompetitionState.Pre` on. */
export const competitionStateNames = ['pre', 'active', 'post'] as const

/** Shocks of margin scenarios. */
export const ScenarioKind = {
  SpotChange: 0,
  VolChange: 1,
  SkewChange: 2,
  KurtosisChange: 3,
} as const
export type ScenarioKind = (typeof ScenarioKind)[keyof typeof ScenarioKind]
export const scenarioKindNames = [
  'SpotChange',
  'VolChange',
  'SkewChange',
  'KurtosisChange',
] as const

/** Margin models that can reject an order. */
export const MarginModelKind = { Standard: 0, DefinedRisk: 1, Portfolio: 2 } as const
export type MarginModelKind = (typeof MarginModelKind)[keyof typeof MarginModelKind]
export const marginModelNames = ['standard', 'defined_risk', 'portfolio'] as const

/** Categories of requests with separate rate limits, and their names in messages. */
export const RateCategory = { OrderPlacement: 0, OrderCancellation: 1, ApiRequest: 2 } as const
export type RateCategory = (typeof RateCategory)[keyof typeof RateCategory]
export const rateCategoryNames = ['OrderPlacement', 'OrderCancellation', 'ApiRequest'] as const

/** Kinds and states of deposits and withdrawals in `GET /v1/transfers`. */
export const transferTypes = ['deposit', 'withdrawal', 'internal_transfer'] as const
export const transferStatuses = ['pending', 'completed', 'failed', 'manual_review'] as const

/** Names of invariants in metrics, logs and the operating guide. */
export const invariantNames = [
  'conservation',
  'in_transit',
  'funds',
  'positions',
  'margin',
  'book',
  'live_book',
  'replay',
] as const
export type InvariantName = (typeof invariantNames)[number]

/** Parts of a venue without which it still takes orders and cancels. */
export const degradableParts = ['history', 'index', 'surface'] as const
export type DegradablePart = (typeof degradableParts)[number]

/** Kinds of measured latencies: answers by the kind of their request, and groups of the journal, written and flushed. */
export const latencyKinds = [
  'place',
  'replace',
  'cancel',
  'bulk',
  'perp',
  'account',
  'rfq',
  'stream_place',
  'flush',
] as const
export type LatencyKind = (typeof latencyKinds)[number]
