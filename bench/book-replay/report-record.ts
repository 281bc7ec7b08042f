// A report has five words. A block of reports is one record of a ring, so that hundreds of them share one claim and one
// cursor store:
//
//   0         4         8                 16
//   +---------+---------+-------+---------+---- ... ----+
//   | bytes   | type    | count | unused  | reports     |
//   +---------+---------+-------+---------+---- ... ----+
//
//   word      0         1       2         3            4
//   report    sequence  terms   handle    price index  taker's handle, of a trade
//
// `terms` is quantity x 16 + side x 8 + type.

/** Type of a report, as in the hashed lines. */
export const ReportType = {
  OrderAck: 0,
  Trade: 1,
  CancelAck: 2,
  ModifyAck: 3,
  CancelReject: 4,
  ModifyReject: 5,
} as const

/** Type of a block. `LastReports` is the last block of a run. */
export const BlockType = { Reports: 1, LastReports: 2 } as const

export const blockCountAt = 8 // i32
export const blockReportsAt = 16
export const reportWords = 5
export const reportField = { sequence: 0, terms: 1, handle: 2, priceIndex: 3, taker: 4 } as const

/** Largest number of reports in a block. A block is small, so that the reader gets it soon. */
export const blockReportsMax = 818
export const blockBytes = 16_376

export function termsOf(type: number, side: number, quantity: number): number {
  return (quantity << 4) | (side << 3) | type
}
