import { JournalLink } from '../../../engine/core/journal-link.js'
import { JournalWriter } from '../../../engine/journal/journal-writer.js'
import { emptyJournal } from '../../../engine/journal/recovery.js'
import { listSegments, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { allocateEventLog, DurableGate } from '../../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { journalRingBytes } from '../../../schemas/bounds.js'
import { EventType } from '../../../schemas/generated/events.js'
import { CoreRig } from '../../support/core-rig.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { MixedCommands } from '../../support/mixed-commands.js'
import { engineVersion } from './journal-fixture.js'

/** Batch on disk, and the state after it. */
export interface BatchBorder {
  readonly batchNumber: number
  readonly segmentNumber: number
  /** Offsets of its record's start and end. */
  readonly at: number
  readonly end: number
  /** Its commands, byte for byte. */
  readonly commands: Uint8Array
  readonly hash: { readonly low: number; readonly high: number }
  /** Number of batches that the flush which wrote this one had acknowledged as durable, including itself. */
  readonly acknowledged: number
}

/**
 * Core with random trading, with the journal's link and writer and a disk in memory. Groups are one to three batches,
 * batches up to eight commands of all types.
 */
export class JournaledCore {
  readonly files = new MemoryFiles()
  readonly borders: readonly BatchBorder[]
  readonly rig: CoreRig
  readonly #writer: JournalWriter
  readonly #hashes: { low: number; high: number }[] = []
  /** Batch number up to which each batch's flush reached, by batch. */
  readonly #acknowledged: number[] = []
  readonly #commands: MixedCommands

  /** @param journalBytes minimum number of bytes to write, in segments of at most `segmentBytes` */
  constructor(seed: number, journalBytes: number, segmentBytes = 1 << 26) {
    const memory = allocateRing(journalRingBytes)
    const journal = new JournalLink(new Ring(memory, 'producer'), () => {}, false)
    this.rig = new CoreRig(engineConfigDefault, 1, { journal })
    this.#commands = new MixedCommands(this.rig, seed)
    this.#writer = new JournalWriter({
      files: this.files,
      ring: new Ring(memory, 'consumer'),
      gate: new DurableGate(allocateEventLog(1 << 16)),
      wakeups: [],
      durability: 'flush',
      engineVersion,
      resume: emptyJournal,
      segmentBytes,
      aheadBytes: 0,
    })
    this.#writer.onStart()
    this.#commands.open()
    while (this.#writer.bytesWritten < journalBytes) this.#group()
    this.borders = this.#placed()
  }

  /** Runs some batches, journaled by one flush. */
  #group(): void {
    const commands = this.#commands
    for (let batches = 1 + commands.below(3); batches > 0; batches--) {
      for (let count = 1 + commands.below(8); count > 0; count--) commands.next()
      this.rig.nowMillis += commands.below(900)
      while (this.rig.step()) this.#note()
    }
    while (this.#writer.doWork() > 0) {}
    const reached = this.#writer.nextBatchNumber - 1
    while (this.#acknowledged.length < reached) this.#acknowledged.push(reached)
  }

  #note(): void {
    const { low, high } = this.rig.state.hash
    this.#hashes.push({ low, high })
    for (const { type, fields } of this.rig.events()) {
      const id = fields['orderId'] ?? 0
      if (type === EventType.Outcome && id > 0) this.#commands.orderId = id
    }
  }

  #placed(): BatchBorder[] {
    const borders: BatchBorder[] = []
    for (const segmentNumber of listSegments(this.files)) {
      const reader = new SegmentReader(this.files, segmentNumber)
      for (let at = reader.offset; reader.next() > 0; at = reader.offset) {
        const { batchNumber } = reader.batch
        borders.push({
          batchNumber,
          segmentNumber,
          at,
          end: reader.offset,
          commands: this.rig.batches[batchNumber - 1]!.u8,
          hash: this.#hashes[batchNumber - 1]!,
          acknowledged: this.#acknowledged[batchNumber - 1]!,
        })
      }
    }
    return borders
  }
}
