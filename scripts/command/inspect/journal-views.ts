import { engineVersions } from '../../../engine/core/engine-versions.js'
import { CoreReplica } from '../../../engine/core/replica.js'
import { writerName } from '../../../engine/journal/engine-versions.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import { SegmentReader } from '../../../engine/journal/segment-reader.js'
import { type Snapshot, snapshotName } from '../../../engine/journal/snapshot-store.js'
import { loadSnapshot } from '../../../engine/journal/snapshotter.js'
import { hashText } from '../../../engine/memory/state-hash.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { UsageError } from '../../../gateway/command-line/verb-command.js'
import { enumerationName } from '../../../schemas/record-rules/decode-record.js'
import { batchesOf, type FoundBatch, recordsOf } from '../../venue-data/journal-scan.js'
import { lineOf, shownCommand } from '../../venue-data/shown-record.js'
import { countsOf } from '../../venue-data/state-tables.js'
import { commandPlaces } from '../../venue-data/story.js'
import type { VenueFolder } from '../../venue-data/venue-folder.js'
import { fieldLines, tableLines, timeText, type View } from './view.js'

const originName = (origin: number) => enumerationName('SegmentOrigin', origin)

/** Lists the stored segments and snapshots, with the venue they belong to and the last batch. */
export function journalView(folder: VenueFolder): View {
  const segments = folder.headers().map((header) => {
    const name = segmentName(header.segmentNumber)
    const { identity: _, origin, ...fields } = header
    const file = folder.placeOf(name)
    const bytes = folder.files.bytesOf(name)
    return { file, bytes, ...fields, origin: originName(origin) }
  })
  const snapshots = folder.store.list().map((batchNumber) => ({
    file: folder.placeOf(snapshotName(batchNumber)),
    batchNumber,
    seq: folder.store.seqOf(batchNumber),
    engineVersion: folder.store.engineVersionOf(batchNumber),
  }))
  const end = endOf(folder)
  const value = { identity: folder.identity, heldBy: folder.holder, segments, snapshots, end }
  const last =
    end === null
      ? 'no batches'
      : `ends with ${batchText(end)}${end.isGraceful ? ', gracefully' : ''}`
  const lines = [
    `${folder.identity}${folder.holder === null ? '' : `, held by process ${folder.holder}`}`,
    ...tableLines(
      ['segment', 'bytes', 'engine', 'first batch', 'seq before', 'origin'],
      segments.map((one) => [
        ...[one.file, one.bytes, one.engineVersion],
        ...[one.firstBatchNumber, one.seqBefore, one.origin],
      ]),
    ),
    ...tableLines(
      ['snapshot', 'batch', 'seq', 'engine'],
      snapshots.map((one) => [one.file, one.batchNumber, one.seq, one.engineVersion]),
    ),
    last,
  ]
  return { value, lines }
}

/** Shows a segment's header and its batches. */
export function segmentView(folder: VenueFolder, number: number, limit: number): View {
  const name = segmentName(number)
  if (!folder.files.has(name)) throw new UsageError(`${name} is not stored`)
  const reader = new SegmentReader(folder.files, number)
  const batches: ReturnType<typeof batchFacts>[] = []
  let count = 0
  for (const found of recordsOf(reader)) if (count++ < limit) batches.push(batchFacts(found))
  const { origin, ...header } = reader.header
  const endOffset = reader.offset
  const value = { file: folder.placeOf(name), ...header, origin: originName(origin), endOffset }
  const rows = batches.map(
    ({ offset, batchNumber, timeMillis, commandCount, commandBytes, stateHash }) => [
      ...[offset, batchNumber, timeText(timeMillis), commandCount, commandBytes, stateHash],
    ],
  )
  const lines = [
    ...fieldLines({ ...value, writer: writerName(engineVersions, header.engineVersion) }),
    ...tableLines(['offset', 'batch', 'time', 'commands', 'bytes', 'hash before'], rows),
    ...moreLine(count, limit, 'records'),
  ]
  return { value: { ...value, recordCount: count, batches }, lines }
}

/** Shows a batch's record and its commands, one line per command. */
export function batchView(folder: VenueFolder, batchNumber: number, limit: number): View {
  const found = findBatch(folder, batchNumber)
  const commands = [...commandPlaces(found.batch)].map((at) => shownCommand(found.batch, at))
  const facts = { file: folder.placeOf(found.reader.name), ...batchFacts(found) }
  const lines = [
    ...fieldLines({ ...facts, timeMillis: timeText(facts.timeMillis) }),
    ...commands.slice(0, limit).map((command, index) => `${index}  ${lineOf(command)}`),
    ...moreLine(commands.length, limit, 'commands'),
  ]
  return { value: { ...facts, commands: commands.slice(0, limit) }, lines }
}

/** Shows a command with every field of its record. */
export function commandView(folder: VenueFolder, batchNumber: number, index: number): View {
  const { batch } = findBatch(folder, batchNumber)
  const at = [...commandPlaces(batch)][index]
  if (at === undefined) {
    throw new UsageError(`batch ${batchNumber} has ${batch.commandCount} commands`)
  }
  const value = shownCommand(batch, at, true)
  return { value, lines: fieldLines(value) }
}

/**
 * Shows a snapshot's head and the row counts of its state, after checking the state hash.
 * @throws ReplayDivergence if the state has another hash than the snapshot recorded.
 */
export function snapshotView(folder: VenueFolder, wanted?: number): View {
  const batchNumber = wanted ?? folder.store.list().at(-1)
  if (batchNumber === undefined) throw new UsageError('there is no snapshot')
  if (!folder.store.list().includes(batchNumber)) {
    const kept = folder.store.list().join(', ')
    throw new UsageError(`there is no snapshot of batch ${batchNumber}; stored: ${kept}`)
  }
  const { state, hashLow, hashHigh, ...head } = folder.store.readOne(batchNumber)
  const counts = loadedCounts({ ...head, hashLow, hashHigh, state })
  const file = folder.placeOf(snapshotName(batchNumber))
  const stateHash = hashText(hashLow, hashHigh)
  const value = { file, ...head, stateBytes: state.length, stateHash, counts }
  return { value, lines: fieldLines(value) }
}

function loadedCounts(snapshot: Snapshot) {
  const replica = new CoreReplica(engineConfigDefault)
  loadSnapshot(replica, snapshot)
  return countsOf(replica.state)
}

function endOf(folder: VenueFolder) {
  const number = folder.files.numbers().at(-1)
  if (number === undefined) return null
  const from = folder.files.headerOf(number)?.firstBatchNumber ?? 1
  let end: (ReturnType<typeof batchFacts> & { readonly isGraceful: boolean }) | null = null
  for (const found of batchesOf(folder, Math.max(1, from - 1))) {
    end = { ...batchFacts(found), isGraceful: found.isShutdown }
  }
  return end
}

function findBatch(folder: VenueFolder, batchNumber: number): FoundBatch {
  for (const found of batchesOf(folder, batchNumber)) {
    if (found.isShutdown) continue
    if (found.batch.batchNumber === batchNumber) return found
    break
  }
  throw new UsageError(`batch ${batchNumber} is not stored`)
}

function batchFacts({ batch, offset, isShutdown }: FoundBatch) {
  const { batchNumber, timeMillis, seqAfter, commandCount, commandBytes } = batch
  const stateHash = hashText(batch.hashLow, batch.hashHigh)
  const facts = { offset, batchNumber, timeMillis, seqAfter, commandCount, commandBytes }
  return { ...facts, stateHash, isShutdown }
}

function batchText({
  batchNumber,
  seqAfter,
  timeMillis,
  isShutdown,
}: ReturnType<typeof batchFacts>) {
  const last = isShutdown ? batchNumber - 1 : batchNumber
  return `batch ${last}, sequence ${seqAfter}, ${timeText(timeMillis)}`
}

function moreLine(count: number, limit: number, what: string): readonly string[] {
  return count > limit ? [`${count - limit} more ${what}: --limit ${count} shows them`] : []
}
