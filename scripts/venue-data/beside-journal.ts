import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorOf } from '../../engine/threads/error-of.js'
import {
  type AuditPart,
  auditBaseOf,
  auditFile,
  auditPartsIn,
  gapBefore,
} from '../../gateway/operator/audit-files.js'
import { auditLineOf } from '../../gateway/operator/audit-log.js'
import { approvalsFile, readRequests } from '../../gateway/operator/kept-requests.js'
import { fileAt, lossOf } from '../../gateway/operator/noted-files.js'
import { readKeys, vapidFile } from '../../gateway/push/vapid-keys.js'
import { MissingWithdrawals, missingFile } from '../../gateway/rail/missing-withdrawals.js'
import { RailRecord, recordFile } from '../../gateway/rail/rail-record.js'
import { NotedFile } from '../../schemas/record-values.js'
import type { Fault } from './scrub.js'

// What a venue writes beside its journal and history store, and how each file stands to the journal's end.

const lineFeed = 0x0a

/** What a look at a file has shown. */
interface Look {
  /** Highest sequence that it tells of; 0: none. */
  readonly seq: number
  /** Places of what is not as it was written; empty: nothing. */
  readonly faults: readonly Pick<Fault, 'offset' | 'what'>[]
}

/** What is copied of a file; null: nothing, not even its name. */
type CopyOf = (path: string) => string | Uint8Array | null

/** A file of the data folder, or several that are one record. */
interface BesideFile {
  /** Whether a copy of it has to be older than that of the journal. */
  readonly isFirst: boolean
  /** Names of its files in a folder, in their order; without: the one. */
  readonly namesIn?: (dataDir: string) => readonly string[]
  /** What belongs to a journal that ends with a sequence, asked of each file in its order; without: all. */
  readonly upTo?: (seq: number) => CopyOf
  /** @throws Error when a venue would not start with it. */
  readonly look: (path: string) => Look
  /** What is wrong between its files. */
  readonly lookBetween?: (dataDir: string) => readonly Fault[]
  /** Whether a venue starts with it however it is, so that a copy has it as it is, and says so. */
  readonly isSurvived: boolean
}

const besideJournal: Readonly<Record<string, BesideFile>> = {
  // A row too many goes at the start whose journal has the withdrawal; one too few would let its money leave twice.
  [missingFile]: {
    isFirst: true,
    isSurvived: false,
    look: (path) => {
      new MissingWithdrawals(path)
      return { seq: 0, faults: [] }
    },
  },
  // Ahead of the journal it is a loss, and a start is refused; behind it, what has been sent would be sent once more.
  [recordFile]: {
    isFirst: false,
    isSurvived: false,
    upTo: (seq) => (path) => RailRecord.linesUpTo(path, seq),
    look: (path) => {
      const seqs = RailRecord.look(path).rows.map(({ seq }) => seq)
      return { seq: seqs.reduce((max, seq) => Math.max(max, seq), 0), faults: [] }
    },
  },
  // What the journal holds was written down before it was done, so it stands before the end of anything later.
  [auditFile]: {
    isFirst: false,
    isSurvived: true,
    namesIn: (dataDir) => auditPartsIn(dataDir).map(({ name }) => name),
    upTo: auditUpTo,
    look: lookAtAudit,
    lookBetween: (dataDir) => gapsOf(auditPartsIn(dataDir)),
  },
  // Behind the journal: a request that was done since must not wait in the copy, or it could be done twice.
  [approvalsFile]: {
    isFirst: false,
    isSurvived: true,
    look: (path) => {
      readRequests(path)
      return { seq: 0, faults: [] }
    },
  },
  // Made once, before anybody subscribes for it: subscriptions are in the journal.
  [vapidFile]: {
    isFirst: false,
    isSurvived: true,
    look: (path) => {
      const what = 'it is no pair of keys: browsers would have to subscribe again'
      return { seq: 0, faults: readKeys(path) === null ? [{ offset: -1, what }] : [] }
    },
  },
}

export interface BesideScrub {
  /** What keeps a venue from starting. */
  readonly faults: readonly Fault[]
  /** What does not. */
  readonly survived: readonly Fault[]
  /** By file, how far it shows that the journal once was. */
  readonly seqs: ReadonlyMap<string, number>
}

/** Reads what stands beside the journal. Of a running venue before the journal, which is always ahead of it. */
export function scrubBeside(dataDir: string): BesideScrub {
  const [faults, survived]: Fault[][] = [[], []]
  const seqs = new Map<string, number>()
  for (const [known, { isSurvived, namesIn, look, lookBetween }] of Object.entries(besideJournal)) {
    const found = (isSurvived ? survived : faults) as Fault[]
    for (const file of namesIn?.(dataDir) ?? [known]) {
      const path = join(dataDir, file)
      if (!existsSync(path)) continue
      try {
        const looked = look(path)
        seqs.set(file, looked.seq)
        found.push(...looked.faults.map((fault) => ({ file, ...fault })))
      } catch (error) {
        found.push({ file, offset: -1, what: errorOf(error).message })
      }
    }
    found.push(...(lookBetween?.(dataDir) ?? []))
  }
  return { faults: faults!, survived: survived!, seqs }
}

/** Which of the files have seen more than a journal that ends with a sequence. */
export function aheadOf(lastSeq: number, { seqs }: BesideScrub) {
  const ahead = [...seqs]
    .filter(([, seq]) => seq > lastSeq)
    .map(([file, seq]) => {
      const what = `it has seen sequence ${seq}, the journal ends with ${lastSeq}`
      return { file, offset: -1, what }
    })
  const isSurvived = ({ file }: Fault) => besideOf(file)!.isSurvived
  return { faults: ahead.filter((one) => !isSurvived(one)), survived: ahead.filter(isSurvived) }
}

/** Returns the files that have fewer bytes than the journal knows. @param notedBytes by `NotedFile`. */
export function lostBeside(dataDir: string, notedBytes: ArrayLike<number>): readonly Fault[] {
  const last = auditPartsIn(dataDir).at(-1) ?? { name: auditFile, base: 0, bytes: 0 }
  const rail = join(dataDir, recordFile)
  const railBytes = fileAt(rail)?.size ?? 0
  const found = [
    { file: recordFile, what: lossOf(rail, railBytes, notedBytes[NotedFile.Rail]!) },
    {
      file: last.name,
      what: lossOf(join(dataDir, last.name), last.base + last.bytes, notedBytes[NotedFile.Audit]!),
    },
  ]
  return found.flatMap(({ file, what }) =>
    what === null ? [] : [{ file, offset: -1, what: `it ${what}` }],
  )
}

function besideOf(file: string): BesideFile | null {
  const known = auditBaseOf(file) === null ? file : auditFile
  return Object.hasOwn(besideJournal, known) ? besideJournal[known]! : null
}

/** Whether a copy of a file has to be older than that of the journal. */
export function isCopiedFirst(file: string): boolean {
  return besideOf(file)?.isFirst === true
}

/** Names of what is copied, and how, for a journal that ends with a sequence. Files of one record come in their order. */
export function* copiesOf(
  names: readonly string[],
  seq: number,
): Generator<{ readonly name: string; readonly copyOf: CopyOf | null }> {
  const cutters = new Map<BesideFile, CopyOf>()
  for (const name of [...names].sort(byBase)) {
    const beside = besideOf(name)
    if (beside?.upTo === undefined) {
      yield { name, copyOf: null }
      continue
    }
    const copyOf = cutters.get(beside) ?? beside.upTo(seq)
    cutters.set(beside, copyOf)
    yield { name, copyOf }
  }
}

function byBase(one: string, other: string): number {
  return (auditBaseOf(one) ?? -1) - (auditBaseOf(other) ?? -1)
}

function gapsOf(parts: readonly AuditPart[]): readonly Fault[] {
  return parts.slice(1).flatMap((part, place) => {
    const gap = gapBefore(part, parts[place]!)
    return gap === null ? [] : [{ file: part.name, offset: -1, what: gap }]
  })
}

/** Whole lines of the audit log in their order, and where each begins. */
function* auditLines(bytes: Buffer) {
  let at = 0
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
    yield { at, line: auditLineOf(bytes.toString('utf8', at, end)) }
    at = end + 1
  }
}

function lookAtAudit(path: string): Look {
  const what = 'a line that cannot be read'
  const faults: { offset: number; what: string }[] = []
  let seq = 0
  for (const { at, line } of auditLines(readFileSync(path))) {
    if (line === null) faults.push({ offset: at, what })
    else seq = Math.max(seq, line.seq ?? 0)
  }
  return { seq, faults }
}

/** Its lines say where earlier ones stand: so it is cut, and none is taken out. */
function auditUpTo(seq: number): CopyOf {
  let isCut = false
  return (path) => {
    if (isCut) return null
    const bytes = readFileSync(path)
    for (const { at, line } of auditLines(bytes)) {
      isCut = (line?.seq ?? 0) > seq
      if (isCut) return bytes.subarray(0, at)
    }
    return bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1)
  }
}
