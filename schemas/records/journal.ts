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

// Records of the journal ring, which are also those of a segment file: they have the same bytes in both. The core
// claims the whole header and fills its half, the journal fills the other half in place, and whole runs of records
// go from the ring to the file by one write, never copied.
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
  typeDoc:
    'Types of the records on the journal ring, which are also those of a segment file. Never renumbered.',
  layouts: [
    record(
      { Batch: 1, Shutdown: 2 },
      'One closed batch. A Shutdown has no commands; its batch number is the next one (it uses none up), its hash ' +
        'the final state. It is the last thing before a graceful end.',
      [
        f64('batchNumber', 'from 1, without gaps'),
        f64('timeMillis', "the batch's, read once by the core's shell, never going back"),
        f64('seqAfter', 'of the last event after the batch'),
        i32(
          'eventEnd',
          'event-log offset to open when the batch is durable; means nothing after a restart',
        ),
        i32('commandBytes', 'length of the command records, a multiple of 8'),
        i32('commandCount'),
        i32('hashLow', 'of the state before the batch'),
        i32('hashHigh'),
        u32('bodyChecksum', 'of the commands, which the core makes while it copies them'),
        u32('magic'),
        i32(
          'segment',
          'where the record was written, so that a misplaced or copied one is no valid one',
        ),
        i32('offset'),
        i32(
          'durableSegment',
          'up to where (exclusive) the journal was known durable when the record was written',
        ),
        i32('durableOffset'),
        mark('checkedEnd', 'of what the next checksum covers'),
        u32('headerChecksum', 'of all of the header before it, so of the body checksum, too'),
        rows('commands', 'bytes', 'command records, back to back'),
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
      'Begin of a segment file: 64 bytes that stand alone, so that a segment of another format is known as one, then ' +
        'the identity.',
      [
        u32('magic'),
        i32('formatVersion'),
        i32('engineVersion'),
        i32('segmentNumber'),
        f64('firstBatchNumber'),
        f64(
          'previousBytes',
          'length of the segment before, all of it durable when this one was begun',
        ),
        f64('seqBefore', "sequence of the last event before the segment's first batch"),
        one('origin', 'SegmentOrigin'),
        i32('identityBytes'),
        u32('identityChecksum', 'of identity and zeros to the end of the header'),
        unused(8),
        mark('checkedEnd', 'of what the next checksum covers'),
        u32('checksum', 'of the 60 bytes before it'),
        bytes('identity', identityBytesMax, 'whose journal it is, a sentence in ASCII; then zeros'),
      ],
    ),
    //  0       4        8        12       16           24    32         36          40         48
    //  +-------+--------+--------+--------+------------+-----+----------+-----------+----------+---
    //  | magic | format | engine |        | batch      | seq | hash low | hash high | body     |
    //  |       | version| version|        | number f64 | f64 |          |           | bytes f64|
    //  +-------+--------+--------+--------+------------+-----+----------+-----------+----------+---
    part('SnapshotHead', 'Begin of a snapshot file; the state as its replica saved it follows.', [
      u32('magic'),
      i32('formatVersion'),
      i32('engineVersion'),
      unused(4),
      f64('batchNumber', 'last batch whose effects it holds'),
      f64('seq', 'of the last event up to there'),
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
