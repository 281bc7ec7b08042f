import type { Answers } from './generated/interface.js'

// Names for the answers, and their parts, that the client's methods return.

type DataOf<Key extends keyof Answers> = Answers[Key] extends { readonly data: infer Data }
  ? Data
  : never

export type Profile = DataOf<'GET /profile'>
export type RealizedPnlRow = DataOf<'GET /profile/realized-pnl'>[number]
export type HistoricalPnl = DataOf<'GET /profile/historical-pnl'>
export type RateLimits = DataOf<'GET /rate-limits'>
export type ActionOutcome = DataOf<'GET /actions/outcome'>
/** Result of an order, replacement or cancel. */
export type OrderOutcome = Extract<ActionOutcome['outcome'], { readonly symbol: string }>
export type OrderWhy = DataOf<'GET /orders/why'>
export type SelfTradePrevention = DataOf<'GET /self-trade-prevention'>
export type LiquidationStatus = DataOf<'GET /liquidation/status'>
export type SimulatedOrders = DataOf<'POST /risk/simulate/orders'>
export type CompetitionRanks = DataOf<'GET /competition-metric-ranks'>
export type ReferredRow = DataOf<'GET /referrals/referred'>[number]
export type Bid = DataOf<'POST /liquidation/standard-margin'>
export type FeeSchedule = Answers['GET /fees']
export type RfqRow = Answers['GET /rfq']['rfqs'][number]
export type SubmittedRfq = Answers['POST /rfq/request']
export type AcceptedQuote = Answers['POST /rfq/accept']
export type ReferralCode = Answers['GET /referrals/code/']
export type Username = Answers['GET /username']
export type Leaderboard = Answers['GET /leaderboard']
export type LiquidationPage = Answers['GET /liquidations']
export type TransferPage = Answers['GET /v1/transfers']
export type ExchangeInfo = Answers['GET /exchange-info']
export type Perp = ExchangeInfo['perps'][number]
export type Grant = Answers['POST /faucet']
export type SignedOrder = Answers['POST /order/debug']
export type VenueIndex = Answers['GET /']
export type Version = Answers['GET /version']
