// Reads between a gateway and the read model. The gateway passes the query text on as it came; the read model
// parses, validates and encodes, so a read costs the gateway two copies of bytes and nothing else.

/** Read requests, gateway to read model: one record each, type = the route's index in `readRoutes`. */
export const readRequestSlotAt = 8 // i32, the gateway's slot of the waiting request
export const readPositionAt = 12 // i32, event-log position that the answer must include
export const readWalletMillisAt = 16 // f64, arrival by the gateway's clock
export const readQueryBytesAt = 24 // i32
export const readQueryAt = 28 // UTF-8 query text, without the question mark

/** Replies, read model to gateway: the body in one or more records of the same slot. */
export const ReplyRecord = { Part: 1, Last: 2 } as const
export const replySlotAt = 8 // i32
export const replyStatusAt = 12 // i32, HTTP status
export const replyBodyBytesAt = 16 // i32, bytes in this record
export const replyBodyAt = 24
export const replyPartBytesMax = 64 * 1024

/** GET routes answered by the read model. Their index is the request record's type. */
export const readRoutes = [
  '/instruments',
  '/markets',
  '/orderbook',
  '/portfolio',
  '/options-summary',
  '/authorized-agents',
  '/user-tier',
] as const

/** GET routes answered from the history store, by a pool of query workers. */
export const historyRoutes = ['/orders', '/orders/status', '/fills', '/trades'] as const

/** How long a read waits for its position or `min_seq`, then 503 `not_ready` (decision 40). */
export const readWaitMillisMax = 2000
