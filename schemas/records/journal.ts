import { identityBytesMax } from '../bounds.js'
import {
  bytes,
  f64,
  i32,
  type LayoutGroup,
  mark,
  one,
  part,
  recordsWith,
  rows,
  u32,
  unused,
} from './layout.js'
import { anyRecord } from './parts.js'

// Records of the journal ring and of segment files, with the same bytes in both. The core claims the whole header and
// fills its half; the journal fills the other half in place. One write moves a whole run of records from the ring to
// the file without a copy.
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

const record = recordsWith('', anyRecord)

export const journal: LayoutGroup = {
  file: 'journal',
  typeName: 'JournalRecord',
  typeDoc: 'Types of records on the journal ring and in segment files. Never renumbered.',
  layouts: [
    record(
      { Batch: 1, Shutdown: 2 },
      'One closed batch. A Shutdown has no commands. Its batch number is the next one, which it does not use up; its hash is ' +
        'that of the final state. It is the last record before a graceful end.',
      [
        f64('batchNumber', 'from 1, without gaps'),
        f64('timeMillis', "time of the batch, read once by the core's shell; never decreases"),
        f64('seqAfter', 'of the last event after the batch'),
        i32(
          'eventEnd',
          'event-log offset to open when the batch is durable; meaningless after a restart',
        ),
        i32('commandBytes', 'length of the command records, a multiple of 8'),
        i32('commandCount'),
        i32('hashLow', 'of the state before the batch'),
        i32('hashHigh'),
        u32('bodyChecksum', 'of the commands; the core computes it while it copies them'),
        u32('magic'),
        i32('segment', 'position of the record, so that a misplaced or copied one is invalid'),
        i32('offset'),
        i32('durableSegment', 'exclusive end of the durable journal when the record was written'),
        i32('durableOffset'),
        mark('checkedEnd', 'of what the next checksum covers'),
        u32('headerChecksum', 'of the whole header before it, including the body checksum'),
        rows('commands', 'bytes', 'contiguous command records'),
      ],
      { name: 'JournaledBatch' },
    ),
    //  0       4        8        12        16        24         32       40       44         48         52
    //  +-------+--------+--------+---------+---------+----------+--------+--------+----------+----------+---
    //  | magic | format | engine | segment | first   | previous | seq    | origin | identity | identity |
    //  |       | version| version| number  | batch   | bytes    | before |        | bytes    | checksum |
    //  +-------+--------+--------+---------+---------+----------+--------+--------+----------+----------+---
    part(
      'SegmentHead',
      'Start of a segment file: 64 bytes with a fixed layout, so that other formats are recognized, then ' +
        'the identity.',
      [
        u32('magic'),
        i32('formatVersion'),
        i32('engineVersion'),
        i32('segmentNumber'),
        f64('firstBatchNumber'),
        f64(
          'previousBytes',
          'length of the previous segment, which was durable when this one was created',
        ),
        f64('seqBefore', "sequence of the last event before the segment's first batch"),
        one('origin', 'SegmentOrigin'),
        i32('identityBytes'),
        u32('identityChecksum', 'of identity and zeros to the end of the header'),
        unused(8),
        mark('checkedEnd', 'of what the next checksum covers'),
        u32('checksum', 'of the 60 bytes before it'),
        bytes('identity', identityBytesMax, 'identity of the venue, ASCII text; then zeros'),
      ],
    ),
    //  0       4        8        12       16           24    32         36          40         48
    //  +-------+--------+--------+--------+------------+-----+----------+-----------+----------+---
    //  | magic | format | engine |        | batch      | seq | hash low | hash high | body     |
    //  |       | version| version|        | number f64 | f64 |          |           | bytes f64|
    //  +-------+--------+--------+--------+------------+-----+----------+-----------+----------+---
    part('SnapshotHead', 'Start of a snapshot file; the saved state follows.', [
      u32('magic'),
      i32('formatVersion'),
      i32('engineVersion'),
      unused(4),
      f64('batchNumber', 'last batch whose effects it includes'),
      f64('seq', 'of the last event of that batch'),
      i32('hashLow'),
      i32('hashHigh'),
      f64('bodyBytes', 'length of the state'),
      u32('identityChecksum'),
      unused(4),
      u32('bodyChecksum'),
      mark('checkedEnd', 'of what the next checksum covers'),
      u32('headerChecksum', 'of the 60 bytes before it'),
    ]),
  ],
}
