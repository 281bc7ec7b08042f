// A report is five words. Reports travel in blocks, each one record of a ring, so that a claim and
// a store of the cursor serve hundreds of them:
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

/** Type of a report, as in the lines that are hashed. */
export const ReportType = {
  OrderAck: 0,
  Trade: 1,
  CancelAck: 2,
  ModifyAck: 3,
  CancelReject: 4,
  ModifyReject: 5,
} as const

/** Type of a block: one of many, or the last of a run. */
export const BlockType = { Reports: 1, LastReports: 2 } as const

export const blockCountAt = 8 // i32
export const blockReportsAt = 16
export const reportWords = 5
export const reportField = { sequence: 0, terms: 1, handle: 2, priceIndex: 3, taker: 4 } as const

/** Reports of a block: what a block's bytes hold, and small enough to be read soon. */
export const blockReportsMax = 818
export const blockBytes = 16_376

export function termsOf(type: number, side: number, quantity: number): number {
  return (quantity << 4) | (side << 3) | type
}
