// What is agreed upon reads between a gateway and the read model, beside their records (schemas/records/reads.ts).

/** Asks, as a read without a query, for the tables that a gateway keeps; a type above every route. */
export const tablesRequest = 1000

/** The most of a body that one record has. */
export const replyPartBytesMax = 64 * 1024

/** What a publication holds. Portfolio kinds are PortfolioUpdate messages, ready to send. */
export const PushKind = {
  Initial: 1,
  PositionUpdate: 2,
  BalanceUpdate: 3,
  MarginUpdate: 4,
  GreeksUpdate: 5,
  /** A strike row of the options chain, in the pieces of `chainPieces`. */
  ChainRow: 6,
  /** One leg of a row is gone: underlying, symbol and message, one a line. */
  ChainRemoval: 7,
  /** All rows are told as of the record's sequence; no body. */
  ChainStep: 8,
  /** Messages of competitions, ready to send; the subject is the competition, 0 of a summary. */
  CompetitionUpdate: 9,
  CompetitionSummary: 10,
  CompetitionFinalStats: 11,
  CompetitionRankChange: 12,
  CompetitionGapUpdate: 13,
  CompetitionFinalStanding: 14,
} as const
export type PushKind = (typeof PushKind)[keyof typeof PushKind]

/**
 * Lines of a ChainRow body. Symbols and legs are empty where there is no such instrument; the message is head,
 * then the legs that somebody wants, then tail.
 */
export const chainPieces = ['underlying', 'callSymbol', 'putSymbol', 'head', 'call', 'put', 'tail']

/** The largest body that a read may have. */
export const bodyReadBytesMax = 16 * 1024

/**
 * A question of the gateways' own to the history store: how many of some payouts are a wallet's. No path of a client
 * is without a slash, so none can ask it.
 */
export const payoutsOwnedQuestion = 'payouts-owned'

/** The same for the premium that a quote was told with, in micros; null: there is no such quote. */
export const quotePremiumQuestion = 'quote-premium'

/** The same for what a profile has of the past, and for what a wallet has realized in a span of time. */
export const profileQuestion = 'profile'
export const realizedPnlQuestion = 'realized-pnl'
/** And for what an order traded in the step that placed it. */
export const orderFillsQuestion = 'order-fills'
/** And for an order by its id alone. */
export const orderRowQuestion = 'order-row'

/** How long a read waits for its log offset or `min_seq`, then 503 `not_ready`. */
export const readWaitMillisMax = 2000
