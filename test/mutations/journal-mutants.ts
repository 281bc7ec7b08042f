import type { Mutant } from './mutant.js'

export const journalMutants: readonly Mutant[] = [
  {
    file: 'engine/journal/segment-format.ts',
    fault: 'a record at another place than it was written for is sound',
    original: 'record.offset !== base + at',
    replacement: 'false',
  },
  {
    file: 'engine/journal/segment-format.ts',
    fault: 'a record of another segment is sound',
    original: 'record.segment !== segmentNumber',
    replacement: 'false',
  },
  {
    file: 'engine/journal/segment-reader.ts',
    fault: 'a tail that begins where the flushed part ends is damage',
    original: 'durableOffsetOf(record, this.header) > this.offset',
    replacement: 'durableOffsetOf(record, this.header) >= this.offset',
  },
  {
    file: 'engine/journal/torn-end.ts',
    fault: 'a newest segment of nothing but a broken header is damage',
    original: 'files.bytesOf(segmentName(segmentNumber)) > segmentHeaderBytes',
    replacement: 'files.bytesOf(segmentName(segmentNumber)) >= segmentHeaderBytes',
  },
  {
    file: 'engine/journal/journal-writer.ts',
    fault: 'a record that just fits begins another segment',
    original: 'this.#groupEnd + bytes > this.#segmentBytes',
    replacement: 'this.#groupEnd + bytes >= this.#segmentBytes',
  },
  {
    file: 'engine/journal/journal-writer.ts',
    fault: 'a record says that all before it is durable',
    original: 'record.durableOffset = this.#durableOffset',
    replacement: 'record.durableOffset = this.#groupEnd',
  },
  {
    file: 'engine/journal/journal-writer.ts',
    fault: 'records around the wrap of the ring are written as one piece',
    original: 'at !== end || count === 0',
    replacement: 'count === 0',
  },
  {
    file: 'engine/journal/snapshot-store.ts',
    fault: 'segments are archived that the older snapshot still needs',
    original: 'next.firstBatchNumber > snapshots[0] + 1',
    replacement: 'next.firstBatchNumber > snapshots[1] + 1',
  },
  {
    file: 'engine/journal/snapshotter.ts',
    fault: 'the upper half of a state hash is not compared',
    original: 'low === hashLow && high === hashHigh',
    replacement: 'low === hashLow',
  },
  {
    file: 'engine/journal/record-checksum.ts',
    fault: 'the last of an odd number of words is not in the checksum',
    original: 'at < to',
    replacement: 'false',
  },
]
