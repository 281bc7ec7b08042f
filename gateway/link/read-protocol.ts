// Reads between a gateway and the read model. The gateway passes the query text on as it came; the read model
// parses, validates and encodes, so a read costs the gateway two copies of bytes and nothing else.

/** Read requests, gateway to read model: one record each, type = the endpoint's place in `readModelKeys`. */
export const readRequestSlotAt = 8 // i32, the gateway's slot of the waiting request
export const readPositionAt = 12 // i32, event-log position that the answer must include
export const readWalletMillisAt = 16 // f64, arrival by the gateway's clock
export const readQueryBytesAt = 24 // i32
export const readQueryAt = 28 // UTF-8 query text, without the question mark; of a POST its body

/** What a gateway wants published, on the read ring in turn with the requests; types above every route. */
export const WatchRecord = {
  /** The wallet's portfolio, a snapshot first; for a wallet already watched: the snapshot alone. */
  Portfolio: 1001,
  PortfolioEnd: 1002,
  /** The options chain, all its rows first. */
  Chain: 1003,
  ChainEnd: 1004,
} as const
export type WatchRecord = (typeof WatchRecord)[keyof typeof WatchRecord]
export const watchSlotAt = 8 // i32, above 0: comes back with the snapshot, and with all rows of a chain
export const watchPositionAt = 12 // i32, event-log position that the snapshot must include
export const watchWalletAt = 16 // 20 bytes
export const watchBytes = 40

/** Asks, as a read without a query, for the tables that a gateway keeps; a type above every route. */
export const tablesRequest = 1000

/** What comes back: the body of a reply or publication in one or more records, never mixed with another's. */
export const ReplyRecord = { Part: 1, Last: 2, PushPart: 3, PushLast: 4 } as const

// Replies: the body belongs to the request of the same slot.
export const replySlotAt = 8 // i32
export const replyStatusAt = 12 // i32, HTTP status
export const replyBodyBytesAt = 16 // i32, bytes in this record
export const replyBodyAt = 24
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
} as const
export type PushKind = (typeof PushKind)[keyof typeof PushKind]
export const pushSlotAt = 8 // i32, of the watch; portfolio: of the one that the snapshot is for, 0 for all
export const pushKindAt = 12 // i32, PushKind
export const pushBodyBytesAt = 16 // i32, bytes in this record
export const pushSubjectAt = 20 // i32, instrument of a PositionUpdate, row of the chain, right of a removal
export const pushSeqAt = 24 // f64, engine sequence that it includes
export const pushWalletAt = 32 // 20 bytes, zero on the chain
export const pushBodyAt = 56

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

/** How long a read waits for its position or `min_seq`, then 503 `not_ready`. */
export const readWaitMillisMax = 2000
