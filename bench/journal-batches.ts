import { JournalLink } from '../engine/core/journal-link.js'
import { linkOwnMatchers } from '../engine/core/replica.js'
import type { JournalFile, JournalFiles } from '../engine/journal/journal-files.js'
import { JournalWriter } from '../engine/journal/journal-writer.js'
import { emptyJournal } from '../engine/journal/recovery.js'
import { allocateEventLog, DurableGate } from '../engine/memory/event-log.js'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { Batch } from '../engine/state/batch.js'
import { CoreState } from '../engine/state/core-state.js'
import { EventSink } from '../engine/state/event-sink.js'
import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { commandsPerBatchMax, journalRingBytes } from '../schemas/bounds.js'
import { CommandType, PlaceOrderCommand } from '../schemas/generated/commands.js'
import { JournaledBatch } from '../schemas/generated/journal.js'

/** Producer end of the journal ring without a deciding core: appends closed batches of place orders. */
export class BatchSource {
  readonly #link: JournalLink
  readonly #batch = new Batch()
  readonly #state = new CoreState(
    engineConfigDefault,
    new EventSink(null),
    linkOwnMatchers({ core: null }),
  )
  readonly #commands = placeOrders(commandsPerBatchMax)
  readonly #place = new PlaceOrderCommand()
  #batchNumber = 0

  constructor(ring: Ring) {
    this.#link = new JournalLink(ring, () => {}, false)
  }

  /** Appends `batches` batches of `commands` commands each, at most `commandsPerBatchMax`. */
  put(batches: number, commands: number): void {
    for (let i = 0; i < batches; i++) {
      this.#batch.begin(++this.#batchNumber)
      for (let command = 0; command < commands; command++) {
        this.#batch.addRecord(this.#place.over(this.#commands, command * PlaceOrderCommand.bytes))
      }
      this.#link.append(this.#state, this.#batch, {
        hashLow: 0,
        hashHigh: 0,
        eventEnd: 0,
        seqAfter: 0,
      })
    }
  }
}

/** Returns the unread records of a ring as contiguous pieces of memory. */
export function piecesOf(ring: Ring): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const record = new JournaledBatch()
  let begin = 0
  let end = 0
  for (let at = ring.next(); at >= 0; at = ring.next()) {
    if (at !== end) {
      if (end > begin) pieces.push(ring.u8.subarray(begin, end))
      begin = at
    }
    end = at + record.over(ring, at).recordBytes
  }
  if (end > begin) pieces.push(ring.u8.subarray(begin, end))
  return pieces
}

/** Returns the heap growth per group, of the core's and the journal's part, with files that do nothing. */
export function heapBytesPerGroup(batches: number, commands: number): number {
  const memory = allocateRing(journalRingBytes)
  const source = new BatchSource(new Ring(memory, 'producer'))
  const writer = new JournalWriter({
    files: nowhere,
    ring: new Ring(memory, 'consumer'),
    gate: new DurableGate(allocateEventLog(1 << 16)),
    wakeups: [],
    durability: 'flush',
    engineVersion: 1,
    resume: emptyJournal,
    aheadBytes: 0,
  })
  writer.onStart()
  const run = (groups: number) => {
    for (let group = 0; group < groups; group++) {
      source.put(batches, commands)
      writer.doWork()
    }
  }
  // Few enough to fit into the young generation, because a collection would hide the allocation.
  const groups = 2000
  run(groups)
  const before = process.memoryUsage().heapUsed
  run(groups)
  const grown = process.memoryUsage().heapUsed - before
  return grown / groups
}

function placeOrders(count: number): Ring {
  const ring = new Ring(allocateRing(1 << 17), 'producer')
  const place = new PlaceOrderCommand()
  for (let i = 0; i < count; i++) {
    place.over(ring, i * PlaceOrderCommand.bytes)
    ring.f64.fill(i, place.at >> 3, (place.at + PlaceOrderCommand.bytes) >> 3)
    place.recordBytes = PlaceOrderCommand.bytes
    place.recordType = CommandType.PlaceOrder
  }
  return ring
}

const nowhereFile: JournalFile = {
  write: () => {},
  flush: () => {},
  truncate: () => {},
  close: () => {},
}

const nowhere: JournalFiles = {
  list: () => [],
  create: () => nowhereFile,
  open: () => nowhereFile,
  bytesOf: () => 0,
  read: () => new Uint8Array(0),
  rename: () => {},
  remove: () => {},
  syncDirectory: () => {},
}
