// Shared-memory blocks start with cursors, each on two cache lines of its own: the prefetcher loads neighbouring lines
// in pairs, so cursors only one line apart would still share.
export const cursorBytes = 128

//  Ring (one producer, one consumer)
//  0          128        256                 256 + capacity
//  +----------+----------+---- ... ----------+
//  | tail     | head     | records           |
//  +----------+----------+---- ... ----------+
export const ringTailAt = 0 * cursorBytes
export const ringHeadAt = 1 * cursorBytes
export const ringRecordsAt = 2 * cursorBytes

//  Event log (one writer, many readers); offsets count 8-byte words and wrap at 2^32
//  0          128        256        384                      384 + readers x 128
//  +----------+----------+----------+---- ... ---------------+---- ... ----+
//  | head     | claimed  | durable  | one cursor per reader  | records     |
//  +----------+----------+----------+---- ... ---------------+---- ... ----+
export const logHeadAt = 0 * cursorBytes
export const logClaimedAt = 1 * cursorBytes
export const logDurableAt = 2 * cursorBytes
export const logReadersAt = 3 * cursorBytes
export const logReadersMax = 29
export const logRecordsAt = logReadersAt + logReadersMax * cursorBytes

//  Every record, in rings, event log and journal
//  0         4         8
//  +---------+---------+---- ... ----+
//  | bytes   | type    | payload     |   bytes counts the header, is a multiple of 8
//  +---------+---------+---- ... ----+
export const recordBytesAt = 0
export const recordTypeAt = 4

/** Type of the record that fills the space before a wrap; readers skip it. */
export const paddingType = -1
