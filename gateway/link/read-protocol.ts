// Protocol of reads between a gateway and the read model, in addition to the records (schemas/records/reads.ts).

/** Requests, as a read without a query, the tables that a gateway maintains. The value is above every route. */
export const tablesRequest = 1000

/** Maximum bytes of a body in one record. */
export const replyPartBytesMax = 64 * 1024

/** Content of a publication. Portfolio kinds are PortfolioUpdate messages, ready to send. */
export const PushKind = {
  Initial: 1,
  PositionUpdate: 2,
  BalanceUpdate: 3,
  MarginUpdate: 4,
  GreeksUpdate: 5,
  /** Strike row of the options chain, in the pieces of `chainPieces`. */
  ChainRow: 6,
  /** Removal of one leg of a row: underlying, symbol and message, one per line. */
  ChainRemoval: 7,
  /** All rows have been sent as of the record's sequence. No body. */
  ChainStep: 8,
  /** Messages of competitions, ready to send. The subject is the competition; 0 for a summary. */
  CompetitionUpdate: 9,
  CompetitionSummary: 10,
  CompetitionFinalStats: 11,
  CompetitionRankChange: 12,
  CompetitionGapUpdate: 13,
  CompetitionFinalStanding: 14,
} as const
export type PushKind = (typeof PushKind)[keyof typeof PushKind]

/**
 * Lines of a ChainRow body. Symbols and legs are empty if there is no such instrument. The message is the head, the
 * requested legs, and the tail.
 */
export const chainPieces = ['underlying', 'callSymbol', 'putSymbol', 'head', 'call', 'put', 'tail']

/** Maximum body of a read. */
export const bodyReadBytesMax = 16 * 1024

/**
 * Internal query of gateways to the history store: counts which of some payouts belong to a wallet. Every client path
 * has a slash, so no client can send it.
 */
export const payoutsOwnedQuestion = 'payouts-owned'

/** Internal query: premium of a quote as published, in micros; null: unknown quote. */
export const quotePremiumQuestion = 'quote-premium'

/** Internal queries: past part of a profile, and realized PnL of a wallet in a time range. */
export const profileQuestion = 'profile'
export const realizedPnlQuestion = 'realized-pnl'
/** Internal query: trades of an order in the step that placed it. */
export const orderFillsQuestion = 'order-fills'
/** Internal query: order by its id alone. */
export const orderRowQuestion = 'order-row'

/** Maximum wait of a read for its log offset or `min_seq`, after which it fails with 503 `not_ready`. */
export const readWaitMillisMax = 2000
