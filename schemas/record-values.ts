// What the numbers in records and tables mean, where they stand for one of a few things. Journaled or told: never renumbered.

/** Who may have signed a command, as its wallet sees it. */
export const Signer = { Stranger: 0, Owner: 1, Agent: 2 } as const
export type Signer = (typeof Signer)[keyof typeof Signer]

/** How a perp action was signed: as an action of the domain `Exchange`, or as a directive of the domain for trading keys. */
export const PerpScheme = { Action: 0, Directive: 1 } as const
export type PerpScheme = (typeof PerpScheme)[keyof typeof PerpScheme]

// VolSurface: points are pairs (strike in USD, iv as a fraction); SVI is a, b, rho, m, s
export const SurfaceKind = { Points: 0, Svi: 1 } as const
export type SurfaceKind = (typeof SurfaceKind)[keyof typeof SurfaceKind]

/**
 * TellsRefusal: the OrderUpdate of the refusal is the event before this one.
 * Late: of an order that has waited for quotes, in a later batch than its command.
 * Unfunded: accepted, but the wallet that acts has no cash; its client's address pays for the recovery.
 */
export const OutcomeFlag = {
  MmpTriggered: 1,
  Repeat: 2,
  Unfunded: 4,
  Told: 8,
  TellsRefusal: 16,
  Late: 32,
} as const
export type OutcomeFlag = (typeof OutcomeFlag)[keyof typeof OutcomeFlag]

// Found: what the core keeps of a signed action. Waiting: of an order that is accepted and waits for quotes, so far.
export const OutcomeStanding = { Unknown: 0, Known: 1, Waiting: 2 } as const
export type OutcomeStanding = (typeof OutcomeStanding)[keyof typeof OutcomeStanding]

// Account: cash, tier or modes changed, or bootstrap
export const AccountChange = {
  Bootstrap: 0,
  Opened: 1,
  Deposit: 2,
  Tier: 3,
  Modes: 4,
  Liquidation: 5,
  /** It was named as builder by an order that traded. */
  BuilderFee: 6,
  /** Funding of a perp that it held when the period's rate was fixed. */
  Funding: 7,
  Withdrawal: 8,
  /** What was withdrawn could not be delivered. */
  WithdrawalReturned: 9,
} as const
export type AccountChange = (typeof AccountChange)[keyof typeof AccountChange]

// Agent
export const AgentChange = { Approved: 1, Revoked: 2 } as const
export type AgentChange = (typeof AgentChange)[keyof typeof AgentChange]

// Instrument: listed, expired, deleted, or bootstrap. Ids are dense and rise in order of listing.
export const InstrumentChange = {
  Bootstrap: 0,
  Created: 1,
  Expired: 2,
  Deleted: 3,
  Settled: 4,
} as const
export type InstrumentChange = (typeof InstrumentChange)[keyof typeof InstrumentChange]

/**
 * How a re-mark of an underlying is told. `Whole`: its marks are those of the event's time and of the inputs told
 * before it. A larger one takes several batches: `Begun` names time and inputs, `Swapped` puts its marks in force.
 */
export const RemarkPhase = { Whole: 0, Begun: 1, Swapped: 2 } as const
export type RemarkPhase = (typeof RemarkPhase)[keyof typeof RemarkPhase]

export const LiquidationState = {
  Healthy: 0,
  PreLiquidation: 1,
  InLiquidation: 2,
  Liquidated: 3,
} as const
export type LiquidationState = (typeof LiquidationState)[keyof typeof LiquidationState]

export const liquidationStateNames = [
  'healthy',
  'pre_liquidation',
  'in_liquidation',
  'liquidated',
] as const

/** `None` in every state but `InLiquidation`. */
export const LiquidationMode = { None: 0, Partial: 1, Full: 2 } as const
export type LiquidationMode = (typeof LiquidationMode)[keyof typeof LiquidationMode]

export const liquidationModeNames = [null, 'partial', 'full'] as const

/** Why a Liquidation event was told. */
export const LiquidationChange = {
  Bootstrap: 0,
  /** State or mode changed: one record of the history, one message. */
  State: 1,
  /** Orders of the partial phase were placed anew. */
  Repriced: 2,
  /** The check waits for a mark, or no longer does. */
  Waiting: 3,
  /** The timers stand still, or run again. */
  Timers: 4,
  /** Others have borne a loss of it, and it goes on. */
  Borne: 5,
} as const
export type LiquidationChange = (typeof LiquidationChange)[keyof typeof LiquidationChange]

/** Why an Auction event was told. */
export const AuctionChange = { Bootstrap: 0, Begun: 1, Valued: 2, Won: 3, Ended: 4 } as const
export type AuctionChange = (typeof AuctionChange)[keyof typeof AuctionChange]

/** Why a position moved off the book. */
export const TransferCause = { Auction: 1, Deleveraging: 2 } as const
export type TransferCause = (typeof TransferCause)[keyof typeof TransferCause]

/** How far an underlying's expiry has come. */
export const SettlementPhase = {
  /** Not expired: the mean of its samples so far. */
  Window: 0,
  /** Expired without a price: the mean of the samples there are, or none. */
  Pending: 1,
  /** The price is known; positions are being paid out. */
  Paying: 2,
  /** Every position is paid out. */
  Settled: 3,
} as const
export type SettlementPhase = (typeof SettlementPhase)[keyof typeof SettlementPhase]

/** Where a settlement price comes from. */
export const PriceSource = { Window: 0, Operator: 1 } as const
export type PriceSource = (typeof PriceSource)[keyof typeof PriceSource]

/** How far the funding of a perp's period has come. */
export const FundingPhase = {
  /** The rate that was fixed last is told anew, without what it was paid at. */
  Bootstrap: 0,
  /** Rate and holders are fixed; payments follow. */
  Fixed: 1,
  /** Every holder has paid or was paid. */
  Paid: 2,
} as const
export type FundingPhase = (typeof FundingPhase)[keyof typeof FundingPhase]

/** Why a Funds event was told. */
export const FundsChange = {
  Bootstrap: 0,
  InsuranceDeposit: 1,
  Settlement: 2,
  Liquidation: 3,
  /** Fees of the trades of one batch. */
  Trades: 4,
  /** Payments of perps' funding, and their dust. */
  Funding: 5,
} as const
export type FundsChange = (typeof FundsChange)[keyof typeof FundsChange]

// Mmp event: terms and freeze after the change, then the fill counted, or one entry of a window
export const MmpChange = {
  /** Terms and freeze as they are; `Entry` records with the window follow. */
  Bootstrap: 0,
  Set: 1,
  /** A fill was counted. */
  Filled: 2,
  /** A fill was counted and reached a limit: the window is empty and frozen. */
  Triggered: 3,
  Reset: 4,
  Deleted: 5,
  /** Bootstrap: one entry, the oldest first. */
  Entry: 6,
} as const
export type MmpChange = (typeof MmpChange)[keyof typeof MmpChange]

// Mmp and MmpEntry: answered by Done alone. Set keeps the fills of a window, Reset forgets them and thaws, Delete
// ends the protection.
export const MmpAction = { Set: 1, Reset: 2, Delete: 3 } as const
export type MmpAction = (typeof MmpAction)[keyof typeof MmpAction]

/** Bit of an order's flags beside those of OrderFlag: its own fills count for its account's protection. */
export const countsAsTakerFlag = 1 << 16
/** Likewise, of a Replace: the order that gives way waits for the end of its auction, and is in no book. */
export const unbookedFlag = 1 << 17

// Removed: an order left the book, or never entered it, with `openLots` unfilled
export const RemovedCause = {
  Cancel: 1,
  Replace: 2,
  Ioc: 3,
  Fok: 4,
  SelfTrade: 5,
  ReduceOnly: 6,
  /** The order whose fill reached a limit of its owner's protection. */
  MmpFilled: 7,
  /** Another protected order of that owner and underlying. */
  MmpTriggered: 8,
} as const
export type RemovedCause = (typeof RemovedCause)[keyof typeof RemovedCause]

// Done: the last record of every command
export const DoneOutcome = {
  Rested: 1,
  Finished: 2,
  NotResting: 3,
  OpenDiffers: 4,
  /** A protected order of a frozen account: nothing happened. */
  Frozen: 5,
  /** An add-liquidity-only order that would trade: nothing happened. */
  WouldTrade: 6,
  /** A provider may do better than the book: nothing happened, and the best prices of the book stand before it. */
  AsksAuction: 7,
  /** The best quote is better than the book: nothing happened. */
  QuoteWins: 8,
} as const
export type DoneOutcome = (typeof DoneOutcome)[keyof typeof DoneOutcome]

/** Why a Provider event was told. */
export const ProviderChange = {
  Bootstrap: 0,
  /** The operator has said what it is: with `Suspended` all of its sessions end. */
  Status: 1,
  Connected: 2,
  Left: 3,
} as const
export type ProviderChange = (typeof ProviderChange)[keyof typeof ProviderChange]

/** Why a Username event was told. */
export const UsernameChange = {
  Bootstrap: 0,
  /** The operator has yet to judge it. */
  Requested: 1,
  /** It is the wallet's name from here on, in place of the one before. */
  Approved: 2,
  /** By the operator: the name is free again. */
  Rejected: 3,
} as const
export type UsernameChange = (typeof UsernameChange)[keyof typeof UsernameChange]

/** The operator's word about a name that is asked for. */
export const UsernameVerdict = { Approved: 1, Rejected: 2 } as const
export type UsernameVerdict = (typeof UsernameVerdict)[keyof typeof UsernameVerdict]
/** Why a Competition event was told. */
export const CompetitionChange = {
  Bootstrap: 0,
  /** It was created, or its terms have changed. */
  Terms: 1,
  /** Its span has begun, or is over. */
  State: 2,
  /** Not of itself: the marks in force as its span begins or is over, just before that is told. */
  Marks: 3,
} as const
export type CompetitionChange = (typeof CompetitionChange)[keyof typeof CompetitionChange]

/** What a CancelAll is about. */
export const CancelScope = { All: 0, Underlying: 1, Instrument: 2 } as const
export type CancelScope = (typeof CancelScope)[keyof typeof CancelScope]

/** Why an Rfq event was told. */
export const RfqChange = { Bootstrap: 0, Status: 1 } as const
export type RfqChange = (typeof RfqChange)[keyof typeof RfqChange]

/** Why an RfqQuote event was told. */
export const RfqQuoteChange = {
  /** Of an open request: an invited provider, with its live quote if it has one. */
  Bootstrap: 0,
  Invited: 1,
  Made: 2,
  /** Its provider has made another one, which is told next. */
  Replaced: 3,
  Declined: 4,
  /** A live quote is taken back: its provider has declined, or may not quote any more. */
  Withdrawn: 5,
  Expired: 6,
  /** Its provider could not bear it: when it was made, then it never was live, or when it was to be executed. */
  MarginRejected: 7,
  Executed: 8,
  /** The provider has no session any more. */
  Left: 9,
} as const
export type RfqQuoteChange = (typeof RfqQuoteChange)[keyof typeof RfqQuoteChange]

/** How a segment's first batch follows on what was before. Never renumbered. */
export const SegmentOrigin = {
  /** On the last batch of the segment before, without a gap. */
  Next: 0,
  /** On a loss that the operator accepted: batch numbers and sequences that were lost are passed over. */
  Loss: 1,
  /** Likewise, but nothing was left: the state before it is empty. */
  Nothing: 2,
} as const
export type SegmentOrigin = (typeof SegmentOrigin)[keyof typeof SegmentOrigin]

/** File next to the journal whose length the journal holds. Never renumbered. */
export const NotedFile = { Rail: 0, Audit: 1 } as const
export type NotedFile = (typeof NotedFile)[keyof typeof NotedFile]

/** Rounds over the accounts: those who owe pay, then those who are owed are paid. */
export const PayoutStep = { Collect: 0, Pay: 1 } as const
export type PayoutStep = (typeof PayoutStep)[keyof typeof PayoutStep]

/** What a PushAction does. */
export const PushActionKind = { Subscribe: 1, Unsubscribe: 2, Preferences: 3 } as const
export type PushActionKind = (typeof PushActionKind)[keyof typeof PushActionKind]

/** What a wallet wants to be notified of, as bits. */
export const PushTopic = { Fills: 1, Liquidations: 2, Settlements: 4 } as const
export type PushTopic = (typeof PushTopic)[keyof typeof PushTopic]
export const pushTopicsAll = PushTopic.Fills | PushTopic.Liquidations | PushTopic.Settlements

/** Why a Push event was told. */
export const PushChange = { Bootstrap: 0, Subscribed: 1, Removed: 2, Preferences: 3 } as const
export type PushChange = (typeof PushChange)[keyof typeof PushChange]
