// Values of enumeration fields in records and tables. They are journaled or published: never renumber them.

/** Signer of a command, in relation to its wallet. */
export const Signer = { Stranger: 0, Owner: 1, Agent: 2 } as const
export type Signer = (typeof Signer)[keyof typeof Signer]

/**
 * Signature scheme of a perp action: an action of the domain `Exchange`, or a directive of the domain for trading keys.
 */
export const PerpScheme = { Action: 0, Directive: 1 } as const
export type PerpScheme = (typeof PerpScheme)[keyof typeof PerpScheme]

// VolSurface: points are pairs (strike in USD, iv as a fraction); SVI is a, b, rho, m, s.
export const SurfaceKind = { Points: 0, Svi: 1 } as const
export type SurfaceKind = (typeof SurfaceKind)[keyof typeof SurfaceKind]

/**
 * `IsResultPublished`: the OrderUpdate with the result is published; `publishedSeq` has its sequence.
 * `IsRejectionPublished`: the OrderUpdate of the rejection is the event before this one.
 * `Late`: result of an order that was in an auction, in a later batch than its command.
 * `Unfunded`: accepted, but the acting wallet has no cash; the client's address is charged for the signature recovery.
 */
export const OutcomeFlag = {
  MmpTriggered: 1,
  Repeat: 2,
  Unfunded: 4,
  IsResultPublished: 8,
  IsRejectionPublished: 16,
  Late: 32,
} as const
export type OutcomeFlag = (typeof OutcomeFlag)[keyof typeof OutcomeFlag]

// Found: state of a signed action in the core. Waiting: an order that is accepted and in an auction.
export const OutcomeStanding = { Unknown: 0, Known: 1, Waiting: 2 } as const
export type OutcomeStanding = (typeof OutcomeStanding)[keyof typeof OutcomeStanding]

// Account: cash, tier or modes changed, or bootstrap.
export const AccountChange = {
  Bootstrap: 0,
  Opened: 1,
  Deposit: 2,
  Tier: 3,
  Modes: 4,
  Liquidation: 5,
  /** The account was the builder of an order that traded. */
  BuilderFee: 6,
  /** Funding of a perp that the account held when the period's rate was fixed. */
  Funding: 7,
  Withdrawal: 8,
  /** A withdrawal could not be delivered. */
  WithdrawalReturned: 9,
} as const
export type AccountChange = (typeof AccountChange)[keyof typeof AccountChange]

// Agent.
export const AgentChange = { Approved: 1, Revoked: 2 } as const
export type AgentChange = (typeof AgentChange)[keyof typeof AgentChange]

// Instrument: listed, expired, settled, deleted, or bootstrap. Ids are dense, in order of listing.
export const InstrumentChange = {
  Bootstrap: 0,
  Created: 1,
  Expired: 2,
  Deleted: 3,
  Settled: 4,
} as const
export type InstrumentChange = (typeof InstrumentChange)[keyof typeof InstrumentChange]

/**
 * Phase of a re-mark of an underlying. `Whole`: its marks are those of the event's time and of the inputs published
 * before it. A larger re-mark takes several batches: `Begun` fixes time and inputs, `Swapped` puts its marks in force.
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

/** Reason of a Liquidation event. */
export const LiquidationChange = {
  Bootstrap: 0,
  /** State or mode changed: one record of the history, one message. */
  State: 1,
  /** Orders of the partial phase were placed again. */
  Repriced: 2,
  /** The check started or stopped waiting for a mark. */
  Waiting: 3,
  /** The timers were stopped or started. */
  Timers: 4,
  /** Others have borne a loss of the wallet, and its liquidation continues. */
  Borne: 5,
} as const
export type LiquidationChange = (typeof LiquidationChange)[keyof typeof LiquidationChange]

/** Reason of an Auction event. */
export const AuctionChange = { Bootstrap: 0, Begun: 1, Valued: 2, Won: 3, Ended: 4 } as const
export type AuctionChange = (typeof AuctionChange)[keyof typeof AuctionChange]

/** Reason why a position moved off the book. */
export const TransferCause = { Auction: 1, Deleveraging: 2 } as const
export type TransferCause = (typeof TransferCause)[keyof typeof TransferCause]

/** Progress of an underlying's expiry. */
export const SettlementPhase = {
  /** Not expired: the mean of its samples so far. */
  Window: 0,
  /** Expired without a price: the mean of the existing samples, or none. */
  Pending: 1,
  /** The price is known; positions are being paid out. */
  Paying: 2,
  /** Every position is paid out. */
  Settled: 3,
} as const
export type SettlementPhase = (typeof SettlementPhase)[keyof typeof SettlementPhase]

/** Source of a settlement price. */
export const PriceSource = { Window: 0, Operator: 1 } as const
export type PriceSource = (typeof PriceSource)[keyof typeof PriceSource]

/** Progress of the funding of a perp's period. */
export const FundingPhase = {
  /** The latest fixed rate is repeated, without its index. */
  Bootstrap: 0,
  /** Rate and holders are fixed; payments follow. */
  Fixed: 1,
  /** Every holder has paid or was paid. */
  Paid: 2,
} as const
export type FundingPhase = (typeof FundingPhase)[keyof typeof FundingPhase]

/** Reason of a Funds event. */
export const FundsChange = {
  Bootstrap: 0,
  InsuranceDeposit: 1,
  Settlement: 2,
  Liquidation: 3,
  /** Fees of the trades of one batch. */
  Trades: 4,
  /** Funding payments of perps, and their dust. */
  Funding: 5,
} as const
export type FundsChange = (typeof FundsChange)[keyof typeof FundsChange]

// Mmp event: terms and freeze after the change, then the counted fill, or one entry of a window.
export const MmpChange = {
  /** Current terms and freeze; `Entry` records with the window follow. */
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

// Mmp and MmpEntry are answered by Done alone. Set keeps the fills of a window, Reset removes them and ends the freeze,
// Delete ends the protection.
export const MmpAction = { Set: 1, Reset: 2, Delete: 3 } as const
export type MmpAction = (typeof MmpAction)[keyof typeof MmpAction]

/** Bit of an order's flags in addition to those of OrderFlag: its own fills count for its account's protection. */
export const countsAsTakerFlag = 1 << 16
/** The same, for a Replace: the old order is in an auction and in no book. */
export const unbookedFlag = 1 << 17

// Removed: an order left the book, or never entered it, with `openLots` unfilled.
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

// Done: the last record of every command.
export const DoneOutcome = {
  Rested: 1,
  Finished: 2,
  NotResting: 3,
  OpenDiffers: 4,
  /** A protected order of a frozen account: nothing happened. */
  Frozen: 5,
  /** An add-liquidity-only order that would trade: nothing happened. */
  WouldTrade: 6,
  /**
   * A provider may be better than the book: nothing happened, and the record before it has the best prices of the book.
   */
  AsksAuction: 7,
  /** The best quote is better than the book: nothing happened. */
  QuoteWins: 8,
} as const
export type DoneOutcome = (typeof DoneOutcome)[keyof typeof DoneOutcome]

/** Reason of a Provider event. */
export const ProviderChange = {
  Bootstrap: 0,
  /** The operator has set its status. `Suspended` ends all of its sessions. */
  Status: 1,
  Connected: 2,
  Left: 3,
} as const
export type ProviderChange = (typeof ProviderChange)[keyof typeof ProviderChange]

/** Reason of a Username event. */
export const UsernameChange = {
  Bootstrap: 0,
  /** The operator has not decided yet. */
  Requested: 1,
  /** The wallet's name from now on, which replaces the previous one. */
  Approved: 2,
  /** Rejected by the operator: the name is free again. */
  Rejected: 3,
} as const
export type UsernameChange = (typeof UsernameChange)[keyof typeof UsernameChange]

/** The operator's decision about a requested name. */
export const UsernameVerdict = { Approved: 1, Rejected: 2 } as const
export type UsernameVerdict = (typeof UsernameVerdict)[keyof typeof UsernameVerdict]
/** Reason of a Competition event. */
export const CompetitionChange = {
  Bootstrap: 0,
  /** The competition was created, or its terms were changed. */
  Terms: 1,
  /** The competition started or ended. */
  State: 2,
  /** Marks at the start or end of the competition, published just before it. */
  Marks: 3,
} as const
export type CompetitionChange = (typeof CompetitionChange)[keyof typeof CompetitionChange]

/** Scope of a CancelAll. */
export const CancelScope = { All: 0, Underlying: 1, Instrument: 2 } as const
export type CancelScope = (typeof CancelScope)[keyof typeof CancelScope]

/** Reason of an Rfq event. */
export const RfqChange = { Bootstrap: 0, Status: 1 } as const
export type RfqChange = (typeof RfqChange)[keyof typeof RfqChange]

/** Reason of an RfqQuote event. */
export const RfqQuoteChange = {
  /** An invited provider of an open RFQ, with its live quote if it has one. */
  Bootstrap: 0,
  Invited: 1,
  Made: 2,
  /** Its provider has made another one, which is published next. */
  Replaced: 3,
  Declined: 4,
  /** A live quote was withdrawn: its provider declined, or may no longer quote. */
  Withdrawn: 5,
  Expired: 6,
  /** Its provider could not meet margin: when the quote was made, so that it was never live, or at its execution. */
  MarginRejected: 7,
  Executed: 8,
  /** The provider has no session any more. */
  Left: 9,
} as const
export type RfqQuoteChange = (typeof RfqQuoteChange)[keyof typeof RfqQuoteChange]

/** Relation of a segment's first batch to the batches before it. Never renumber. */
export const SegmentOrigin = {
  /** Follows the last batch of the previous segment without a gap. */
  Next: 0,
  /** Follows an accepted loss: lost batch numbers and sequences are skipped. */
  Loss: 1,
  /** The same, but nothing was left: the state before it is empty. */
  Nothing: 2,
} as const
export type SegmentOrigin = (typeof SegmentOrigin)[keyof typeof SegmentOrigin]

/** File next to the journal whose length the journal records. Never renumber. */
export const NotedFile = { Rail: 0, Audit: 1 } as const
export type NotedFile = (typeof NotedFile)[keyof typeof NotedFile]

/** Rounds of a settlement over the accounts: wallets that owe pay, then the others are paid. */
export const PayoutStep = { Collect: 0, Pay: 1 } as const
export type PayoutStep = (typeof PayoutStep)[keyof typeof PayoutStep]

/** Action of a PushAction. */
export const PushActionKind = { Subscribe: 1, Unsubscribe: 2, Preferences: 3 } as const
export type PushActionKind = (typeof PushActionKind)[keyof typeof PushActionKind]

/** Notification topics of a wallet, as bits. */
export const PushTopic = { Fills: 1, Liquidations: 2, Settlements: 4 } as const
export type PushTopic = (typeof PushTopic)[keyof typeof PushTopic]
export const pushTopicsAll = PushTopic.Fills | PushTopic.Liquidations | PushTopic.Settlements

/** Reason of a Push event. */
export const PushChange = { Bootstrap: 0, Subscribed: 1, Removed: 2, Preferences: 3 } as const
export type PushChange = (typeof PushChange)[keyof typeof PushChange]
