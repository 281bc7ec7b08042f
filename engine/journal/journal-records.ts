import { assert } from '../../schemas/assert.js'
import { recordPayloadAt } from '../memory/layout.js'

// A record has the same bytes on the journal ring and on disk: the core claims the whole header
// and fills its half, the journal fills the other half in place, and whole runs of records go from
// the ring to the file by one write, never copied.
//
//  0       4      8              16           24         32          36              40
//  +-------+------+--------------+------------+----------+-----------+---------------+---
//  | bytes | type | batch number | time       | seq      | event-log | command bytes | command
//  |       |      | f64          | millis f64 | after f64| end       |               | count
//  +-------+------+--------------+------------+----------+-----------+---------------+---
//  44         48          52         56      60        64       68        72        76         80
//  +----------+-----------+----------+-------+---------+--------+---------+---------+----------+---
//  | hash low | hash high | body     | magic | segment | offset | durable | durable | header   |
//  |          |           | checksum |       |         |        | segment | offset  | checksum |
//  +----------+-----------+----------+-------+---------+--------+---------+---------+----------+---
//  core, as far as the body checksum; the journal from magic on                      commands: at 80
//
// A `Shutdown` record has no commands; its batch number is the next one (it uses none up), its
// hash the final state. It is the last thing before a graceful end.

/** f64, from 1, without gaps. */
export const batchNumberAt = recordPayloadAt
/** f64, the batch's timestamp, read once by the core's shell, never going back. */
export const batchTimeMillisAt = 16
/** f64, sequence of the last event after the batch. */
export const batchSeqAfterAt = 24
/** i32, event-log position to open when the batch is durable; means nothing after a restart. */
export const batchEventEndAt = 32
/** i32, length of the command records, a multiple of 8. */
export const batchCommandBytesAt = 36
/** i32 */
export const batchCommandCountAt = 40
/** i32 each: hash of the state before the batch. */
export const batchHashLowAt = 44
export const batchHashHighAt = 48

/** u32: checksum of the commands, which the core makes while it copies them (record-checksum.ts). */
export const batchBodyChecksumAt = 52

/** u32 */
export const batchMagicAt = 56
/** i32 each: where the record was written, so that a misplaced or copied one is no valid one. */
export const batchSegmentAt = 60
export const batchOffsetAt = 64
/** i32 each: up to where (exclusive) the journal was known durable when the record was written. */
export const batchDurableSegmentAt = 68
export const batchDurableOffsetAt = 72
/** u32: checksum of all of the header before it, so of the body checksum, too. */
export const batchHeaderChecksumAt = 76
/** Command records, back to back. The header's length. */
export const batchCommandsAt = 80

assert((batchCommandsAt & 7) === 0, 'batch: commands are aligned for Float64')
