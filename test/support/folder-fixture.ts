import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { BatchSink } from '../../engine/core/core.js'
import { recoverCore } from '../../engine/core/core-start.js'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { JournalLink } from '../../engine/core/journal-link.js'
import { publishBootstrap } from '../../engine/core/operator/bootstrap.js'
import { CoreReplica } from '../../engine/core/replica.js'
import type { EngineVersions } from '../../engine/journal/engine-versions.js'
import type { JournalFiles } from '../../engine/journal/journal-files.js'
import { historyEndAt } from '../../engine/journal/journal-loss.js'
import { JournalWriter } from '../../engine/journal/journal-writer.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { emptyJournal } from '../../engine/journal/recovery.js'
import { SnapshotStore } from '../../engine/journal/snapshot-store.js'
import { Snapshotter } from '../../engine/journal/snapshotter.js'
import { allocateEventLog, DurableGate } from '../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { hashText } from '../../engine/memory/state-hash.js'
import { engineVersion } from '../../engine/state/engine-version.js'
import type { EventSink } from '../../engine/state/event-sink.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { journalRingBytes } from '../../schemas/bounds.js'
import { AnyEvent } from '../../schemas/generated/events.js'
import { CoreRig } from './core-rig.js'
import { publishFolderStory } from './folder-story.js'
import { type Tables, tablesOf } from './folder-tables.js'
import { LiquidationRig } from './liquidation-rig.js'

interface FolderFixtureState {
  readonly sink: EventSink
}

// Data folders left by an engine version with their expected contents, kept for later versions.
//
//   test/vectors/folders/engine-8/expected.json   what a start finds, according to that version
//                                 clean/  *.gz    after a graceful end: its last snapshot has everything
//                                 killed/ *.gz    after a kill: an older snapshot, the journal after it, a torn write
//
// `scripts/make-folder-fixture.ts` makes the folders of the current version, both from the same story.

export const folderKinds = ['clean', 'killed'] as const
export type FolderKind = (typeof folderKinds)[number]

/** Number of events and a hash of all their bytes, in the order of publication or sorted by their bytes. */
export interface EventsDigest {
  readonly count: number
  readonly sha256: string
}

/** Result of a start from a folder. */
export interface Found {
  readonly stateHash: string
  readonly lastBatch: number
  readonly lastSeq: number
  /** Batch of the snapshot it started from, or 0. */
  readonly snapshotBatch: number
  /** Batches replayed, and bytes of the unflushed tail that was cut. */
  readonly replayed: number
  readonly cutBytes: number
  /** True if the journal ends in a graceful shutdown. */
  readonly shutDown: boolean
  /** Events of the replayed batches, and of the bootstrap after them. */
  readonly events: EventsDigest
  readonly bootstrap: EventsDigest
  readonly tables: Tables
}

export interface Expected {
  readonly engineVersion: number
  /** With a history store that has everything, and with an empty one, for which all events are published again. */
  readonly clean: { readonly informed: Found }
  readonly killed: { readonly informed: Found; readonly empty: Found }
}

export const folderIdentity = 'preset development, service Folder, chain 1'
/** Small, so that there are several segments, with one snapshot between them. */
const segmentBytes = 1 << 16
const aheadBytes = 1 << 14
const batchesPerGroup = 3

/** Core with link, writer and snapshots of a journal on a real disk. */
class JournaledStory {
  readonly #files: NodeFiles
  readonly #link: JournalLink
  readonly #writer: JournalWriter
  readonly #snapshotter: Snapshotter
  readonly #rig: LiquidationRig
  #segmentsFinished = 0
  #historySeq = 0
  #batches = 0

  constructor(directory: string) {
    this.#files = new NodeFiles(directory)
    const ring = allocateRing(journalRingBytes)
    this.#link = new JournalLink(new Ring(ring, 'producer'), () => {}, false)
    this.#writer = new JournalWriter({
      files: this.#files,
      ring: new Ring(ring, 'consumer'),
      gate: new DurableGate(allocateEventLog(1 << 16)),
      wakeups: [],
      durability: 'flush',
      engineVersion,
      identity: folderIdentity,
      resume: emptyJournal,
      segmentBytes,
      aheadBytes,
      onSegmentFinished: (segment) => {
        this.#segmentsFinished = segment + 1
      },
    })
    this.#writer.onStart()
    this.#snapshotter = new Snapshotter({
      files: this.#files,
      store: new SnapshotStore(this.#files, engineVersions, folderIdentity),
      replica: new CoreReplica(engineConfigDefault),
      segmentsFinished: () => this.#segmentsFinished,
      historySeq: () => this.#historySeq,
    })
    this.#snapshotter.onStart()
    this.#rig = new LiquidationRig(engineConfigDefault, 1, { journal: this.#sink() })
  }

  get state(): FolderFixtureState {
    return this.#rig.state
  }

  tell(): void {
    publishFolderStory(this.#rig, () => this.#snapshot())
    this.#write()
  }

  /** Ends gracefully: writes the last record, then the snapshot, and archives what the history store also has. */
  end(): void {
    this.#link.shutDown(this.#rig.state, this.#rig.core.batch)
    this.#write()
    this.#historySeq = this.#rig.state.sink.seq
    this.#snapshot()
  }

  #sink(): BatchSink {
    return {
      hasRoom: () => true,
      append: (...batch) => {
        this.#link.append(...batch)
        if (++this.#batches % batchesPerGroup === 0) this.#write()
      },
    }
  }

  #write(): void {
    while (this.#writer.doWork() > 0) {}
  }

  #snapshot(): void {
    while (this.#snapshotter.doWork() > 0) {}
  }
}

/**
 * Makes the folders of this engine version.
 * @param root folder for `clean`, `killed` and `expected.json`
 */
export function makeFolders(root: string): void {
  rmSync(root, { recursive: true, force: true })
  const unpacked = Object.fromEntries(
    folderKinds.map((kind) => [kind, join(root, `${kind}.unpacked`)]),
  ) as Record<FolderKind, string>
  const story = new JournaledStory(unpacked.clean)
  story.tell()
  cpSync(unpacked.clean, unpacked.killed, { recursive: true })
  tearTail(unpacked.killed)
  story.end()
  for (const kind of folderKinds) {
    pack(unpacked[kind], join(root, kind))
    rmSync(unpacked[kind], { recursive: true })
  }
  const { seq } = story.state.sink
  const opened = (kind: FolderKind, historySeq: number) => {
    unpackFolder(root, kind, unpacked[kind])
    const found = openFolder(new NodeFiles(unpacked[kind]), historySeq)
    rmSync(unpacked[kind], { recursive: true })
    return found
  }
  const clean = { informed: opened('clean', seq) }
  const killed = { informed: opened('killed', seq), empty: opened('killed', 0) }
  const expected: Expected = { engineVersion, clean, killed }
  writeFileSync(join(root, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`)
}

export function expectedOf(root: string): Expected {
  return JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8'))
}

/** Writes a kept folder to the disk as the engine left it. */
export function unpackFolder(root: string, kind: FolderKind, target: string): void {
  for (const path of filesOf(join(root, kind))) {
    const file = join(target, path.replace(/\.gz$/, ''))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gunzipSync(readFileSync(join(root, kind, path))))
  }
}

/**
 * Starts an engine on an unpacked folder, as the core's thread does: snapshot, replay, bootstrap.
 * @param historySeq sequence of the history store
 */
export function openFolder(
  files: JournalFiles,
  historySeq: number,
  versions: EngineVersions = engineVersions,
): Found {
  const rig = new CoreRig(engineConfigDefault, 1, { logBytes: 1 << 24 })
  const events = new EventRecorder(rig)
  const { resume } = recoverCore(rig.core, {
    files,
    versions,
    identity: folderIdentity,
    history: historyEndAt(historySeq),
    onBatch: () => events.read(),
    pause: () => events.read(),
  })
  const bootstrap = new EventRecorder(rig)
  publishBootstrap(rig.state, () => bootstrap.read())
  bootstrap.read()
  const { state } = rig
  const { low, high } = state.hash
  return {
    stateHash: hashText(low, high),
    lastBatch: state.batchNumber,
    lastSeq: state.sink.seq,
    snapshotBatch: state.batchNumber - resume.batchCount,
    replayed: resume.batchCount,
    cutBytes: resume.cutBytes,
    shutDown: resume.shutDown,
    events: events.inOrder,
    // A wallet's positions appear in the order in which the engine learned of them.
    bootstrap: bootstrap.inAnyOrder,
    tables: tablesOf(state),
  }
}

/** Published events, read while they come. */
class EventRecorder {
  readonly #events: string[] = []
  readonly #rig: CoreRig

  constructor(rig: CoreRig) {
    this.#rig = rig
  }

  read(): void {
    const { reader } = this.#rig
    const event = new AnyEvent()
    for (let at = reader.next(); at >= 0; at = reader.next()) {
      const { recordBytes } = event.over(reader, at)
      this.#events.push(Buffer.from(reader.u8.slice(at, at + recordBytes)).toString('hex'))
    }
    reader.release()
  }

  get inOrder(): EventsDigest {
    return digestOf(this.#events)
  }

  get inAnyOrder(): EventsDigest {
    return digestOf(this.#events.toSorted())
  }
}

function digestOf(events: readonly string[]): EventsDigest {
  const hash = createHash('sha256')
  for (const event of events) hash.update(event)
  return { count: events.length, sha256: hash.digest('hex') }
}

/** Writes half a record at the end, like a kill during a write. */
function tearTail(directory: string): void {
  const files = new NodeFiles(directory)
  const newest = files
    .list('')
    .filter((name) => name.startsWith('segment'))
    .at(-1)!
  const bytes = files.read(newest)
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1
  const file = files.open(newest)
  file.write([bytes.slice(end - 200, end - 50)], Math.ceil(end / 8) * 8)
  file.close()
}

function pack(source: string, target: string): void {
  for (const path of filesOf(source)) {
    const file = join(target, `${path}.gz`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gzipSync(readFileSync(join(source, path)), { level: 9 }))
  }
}

/** Returns the paths of all files below, sorted. */
function filesOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}
