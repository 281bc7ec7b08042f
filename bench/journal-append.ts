import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { join } from 'node:path'
import { engineVersions } from '../engine/core/engine-versions.js'
import { aheadBytesDefault, JournalWriter } from '../engine/journal/journal-writer.js'
import { NodeFiles } from '../engine/journal/node-files.js'
import { emptyJournal, recoverJournal } from '../engine/journal/recovery.js'
import { allocateEventLog, DurableGate } from '../engine/memory/event-log.js'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { engineVersion } from '../engine/state/engine-version.js'
import { journalRingBytes } from '../schemas/bounds.js'
import { PlaceOrderCommand } from '../schemas/generated/commands.js'
import { BatchSource, heapBytesPerGroup, piecesOf } from './journal-batches.js'
import { type BenchResult, ratioOf, spread, type Threshold } from './measure/bench-result.js'

export interface JournalBenchOptions {
  /** Batches per run. */
  readonly count: number
  readonly runs: number
  /** Parent of a temporary folder, on the disk to measure. */
  readonly directory: string
}

/** Batches per group, and commands per batch: an idle, a busy and a fully loaded engine. */
const loads = [
  { name: 'single', batches: 1, commands: 1 },
  { name: 'busy', batches: 4, commands: 16 },
  { name: 'full', batches: 16, commands: 256, atLeast: 500_000 },
] as const
type Load = (typeof loads)[number]

/** Commands per second, one figure per run. */
interface Measured {
  readonly journal: number[]
  readonly raw: number[]
  readonly replay: number[]
  /** Nanoseconds per command of the core's part: copy and checksum. */
  readonly core: number[]
}

/**
 * Compares group commit through ring and writer with a bare write and fdatasync of the same bytes in the same groups. The
 * two take turns, group by group. Both files begin with the same number of preallocated zeros, which an engine writes
 * while it is idle. The core's part, the copy into the ring, is another thread's work, so it is reported separately.
 * Recovery of the journal is verified and measured, too.
 */
export function runJournalAppendBench(options: JournalBenchOptions): BenchResult[] {
  return loads.flatMap((load) => {
    const measured: Measured = { journal: [], raw: [], replay: [], core: [] }
    const groups = Math.max(2, Math.ceil(options.count / load.batches))
    for (let run = 0; run < options.runs; run++) {
      const root = mkdtempSync(join(options.directory, 'strikebook-journal-bench-'))
      try {
        new Run(root, load).measure(groups, measured)
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    }
    return rowsOf(load, groups, measured)
  })
}

function rowsOf(load: Load, groups: number, measured: Measured): BenchResult[] {
  const { journal, raw, replay, core } = measured
  const unit = 'commands/s'
  const { batches: batchesPerGroup, commands: commandsPerBatch } = load
  const commandBytes = PlaceOrderCommand.bytes
  const extra = { groups, batchesPerGroup, commandsPerBatch, commandBytes }
  const groupBytes = heapBytesPerGroup(load.batches, load.commands)
  const kilobytes = (groupBytes / (load.batches * load.commands)) * 1000
  const costs = {
    coreNanosPerCommand: spread(core).value,
    heapKilobytesPerMillion: Math.round(kilobytes),
    heapBytesPerGroup: Math.round(groupBytes),
  }
  const least: { threshold?: Threshold } =
    'atLeast' in load ? { threshold: { atLeast: load.atLeast } } : {}
  const append = { name: `journal.append.${load.name}`, unit, ...spread(journal), ...least }
  const ratio = { name: `journal.append-of-raw.${load.name}`, threshold: { atLeast: 0.8 } }
  return [
    { ...append, extra: { ...extra, ...costs } },
    { name: `journal.raw.${load.name}`, unit, ...spread(raw), extra },
    ratioOf({ ...ratio, extra }, journal, raw),
    { name: `journal.replay.${load.name}`, unit, ...spread(replay), extra },
  ]
}

/** A journal and a raw file on the same disk, which receive the same groups. */
class Run {
  readonly #load: Load
  readonly #files: NodeFiles
  readonly #source: BatchSource
  readonly #writer: JournalWriter
  /** A second consumer view of the ring, for the raw file. It never releases records. */
  readonly #view: Ring
  readonly #rawPath: string

  constructor(root: string, load: Load) {
    this.#load = load
    this.#files = new NodeFiles(join(root, 'journal'))
    this.#rawPath = join(root, 'raw')
    const memory = allocateRing(journalRingBytes)
    // Touches every page, like a ring that has already wrapped around.
    new Uint8Array(memory).fill(1, memory.byteLength - journalRingBytes)
    this.#source = new BatchSource(new Ring(memory, 'producer'))
    this.#view = new Ring(memory, 'consumer')
    this.#writer = new JournalWriter({
      files: this.#files,
      ring: new Ring(memory, 'consumer'),
      gate: new DurableGate(allocateEventLog(1 << 16)),
      wakeups: [],
      durability: 'flush',
      engineVersion,
      resume: emptyJournal,
    })
  }

  measure(groups: number, into: Measured): void {
    const { batches, commands } = this.#load
    const nanos = { core: 0, journal: 0, raw: 0 }
    const rawFd = openSync(this.#rawPath, 'wx')
    let rawOffset = 0
    writeSync(rawFd, new Uint8Array(aheadBytesDefault))
    fdatasyncSync(rawFd)
    this.#writer.onStart()
    this.#writer.doWork()
    try {
      for (let group = 0; group < groups; group++) {
        nanos.core += nanosOf(() => this.#source.put(batches, commands))
        const pieces = piecesOf(this.#view)
        const raw = () => {
          nanos.raw += nanosOf(() => {
            rawOffset += writevSync(rawFd, pieces, rawOffset)
            fdatasyncSync(rawFd)
          })
        }
        if (group % 2 === 0) raw()
        nanos.journal += nanosOf(() => this.#writer.doWork())
        if (group % 2 === 1) raw()
      }
    } finally {
      this.#writer.onClose()
      closeSync(rawFd)
    }
    const count = groups * batches * commands
    into.journal.push((count / nanos.journal) * 1e9)
    into.raw.push((count / nanos.raw) * 1e9)
    into.core.push(nanos.core / count)
    into.replay.push((count / nanosOf(() => this.#recover(count))) * 1e9)
  }

  #recover(count: number): void {
    let recovered = 0
    recoverJournal({ files: this.#files, fromBatch: 1, versions: engineVersions }, (batch) => {
      recovered += batch.commandCount
    })
    if (recovered !== count) throw new Error(`journal: ${recovered} of ${count} commands recovered`)
  }
}

function nanosOf(action: () => void): number {
  const begin = process.hrtime.bigint()
  action()
  return Number(process.hrtime.bigint() - begin)
}
