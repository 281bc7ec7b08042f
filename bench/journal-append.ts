import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  batchCommandBytesAt,
  batchCommandCountAt,
  batchCommandsAt,
  batchNumberAt,
  JournalRecord,
} from '../engine/journal/journal-records.js'
import { JournalWriter } from '../engine/journal/journal-writer.js'
import { NodeFiles } from '../engine/journal/node-files.js'
import { emptyJournal, recoverJournal } from '../engine/journal/recovery.js'
import { allocateEventLog, DurableGate } from '../engine/memory/event-log.js'
import { allocateRing, Ring } from '../engine/memory/ring.js'
import { type BenchResult, spread } from './bench-result.js'

export interface JournalBenchOptions {
  /** Batches per run. */
  readonly count: number
  readonly runs: number
  /** Folder on the disk to be measured; a temporary one is made in it and removed. */
  readonly directory: string
}

const commandBytes = 256 // a place order
const ringBytes = 1 << 24
const engineVersion = 1

/** Batches in a group, and commands in a batch: an idle engine, a busy one, one under full load. */
const loads = [
  { name: 'single', batches: 1, commands: 1 },
  { name: 'busy', batches: 4, commands: 16 },
  { name: 'full', batches: 16, commands: 256 },
] as const
type Load = (typeof loads)[number]

/**
 * Group commit through ring, checksums and writer, against the same bytes in the same groups given
 * to write and fdatasync alone. Recovery of what was written is the proof, and is measured too.
 */
export function runJournalAppendBench(options: JournalBenchOptions): BenchResult[] {
  const results: BenchResult[] = []
  for (const load of loads) {
    const groups = Math.max(2, Math.ceil(options.count / load.batches))
    const journal: number[] = []
    const raw: number[] = []
    const replay: number[] = []
    for (let run = 0; run < options.runs; run++) {
      const root = mkdtempSync(join(options.directory, 'strikebook-journal-bench-'))
      try {
        const measured = runJournal(root, load, groups)
        journal.push(measured.perSecond)
        replay.push(measured.replayedPerSecond / 1e6)
        raw.push(runRaw(join(root, 'raw'), load, groups))
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    }
    const unit = 'commands/s'
    const commands = `${load.batches} x ${load.commands} commands of ${commandBytes} bytes`
    const extra = `${groups} groups of ${commands}`
    const percent = ((100 * spread(journal).value) / spread(raw).value).toFixed(0)
    const share = `${extra}; ${percent} % of raw`
    results.push({ name: `journal.append.${load.name}`, unit, ...spread(journal), extra: share })
    results.push({ name: `journal.raw.${load.name}`, unit, ...spread(raw), extra })
    results.push({
      name: `journal.replay.${load.name}`,
      unit: 'million commands/s',
      ...spread(replay),
      extra,
    })
  }
  return results
}

function runJournal(
  root: string,
  load: Load,
  groups: number,
): { perSecond: number; replayedPerSecond: number } {
  const memory = allocateRing(ringBytes)
  const ring = new Ring(memory, 'producer')
  const files = new NodeFiles(join(root, 'journal'))
  const writer = new JournalWriter({
    files,
    ring: new Ring(memory, 'consumer'),
    gate: new DurableGate(allocateEventLog(1 << 16)),
    doorbells: [],
    durability: 'flush',
    engineVersion,
    resume: emptyJournal,
  })
  writer.onStart()
  writer.doWork()
  const commands = groups * load.batches * load.commands
  const begin = process.hrtime.bigint()
  for (let group = 0; group < groups; group++) {
    for (let i = 0; i < load.batches; i++)
      putBatch(ring, group * load.batches + i + 1, load.commands)
    writer.doWork()
  }
  const nanos = Number(process.hrtime.bigint() - begin)
  writer.onClose()
  let replayed = 0
  const replayBegin = process.hrtime.bigint()
  recoverJournal({ files, fromBatch: 1, engineVersion }, (batch) => {
    replayed += batch.commandCount
  })
  const replayNanos = Number(process.hrtime.bigint() - replayBegin)
  if (replayed !== commands)
    throw new Error(`journal: ${replayed} of ${commands} commands recovered`)
  return { perSecond: (commands / nanos) * 1e9, replayedPerSecond: (commands / replayNanos) * 1e9 }
}

function putBatch(ring: Ring, batchNumber: number, commands: number): void {
  const bytes = commands * commandBytes
  const at = ring.tryClaim(batchCommandsAt + bytes, JournalRecord.Batch)
  if (at < 0) throw new Error('journal: the ring holds one group')
  ring.f64[(at + batchNumberAt) >> 3] = batchNumber
  ring.i32[(at + batchCommandBytesAt) >> 2] = bytes
  ring.i32[(at + batchCommandCountAt) >> 2] = commands
  ring.f64.fill(batchNumber, (at + batchCommandsAt) >> 3, (at + batchCommandsAt + bytes) >> 3)
  ring.commit()
}

function runRaw(path: string, load: Load, groups: number): number {
  const bytes = new Uint8Array(load.batches * (batchCommandsAt + load.commands * commandBytes))
  const fd = openSync(path, 'wx')
  try {
    const begin = process.hrtime.bigint()
    for (let group = 0; group < groups; group++) {
      bytes.fill(group & 255)
      writeSync(fd, bytes)
      fdatasyncSync(fd)
    }
    const nanos = Number(process.hrtime.bigint() - begin)
    return ((groups * load.batches * load.commands) / nanos) * 1e9
  } finally {
    closeSync(fd)
  }
}
