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

// Files that a venue writes next to its journal and history store, and how each relates to the journal's end.

const lineFeed = 0x0a

/** Result of checking a file. */
interface CheckedFile {
  /** Highest sequence in the file; 0: none. */
  readonly seq: number
  /** Damaged places; empty if the file is sound. */
  readonly faults: readonly Pick<Fault, 'offset' | 'what'>[]
}

/** Returns the part of a file to copy; null if the copy has no such file. */
type CopyOf = (path: string) => string | Uint8Array | null

/** File of the data folder, or several files that form one record. */
interface OtherFile {
  /** True if it must be copied before the journal. */
  readonly isFirst: boolean
  /** Names of its files in a folder, in order; undefined: a single file. */
  readonly namesIn?: (dataDir: string) => readonly string[]
  /** Returns the copier for a journal that ends with `seq`, called for each file in order; undefined: copies all. */
  readonly upTo?: (seq: number) => CopyOf
  /** @throws Error if a venue would not start with the file. */
  readonly look: (path: string) => CheckedFile
  /** Returns the faults between its files. */
  readonly lookBetween?: (dataDir: string) => readonly Fault[]
  /** True if a venue starts even if the file is damaged. A backup then copies it unchanged and reports the fault. */
  readonly isSurvived: boolean
}

const otherFiles: Readonly<Record<string, OtherFile>> = {
  // A start removes a surplus row if the journal has the withdrawal. A missing row would let the money leave twice.
  [missingFile]: {
    isFirst: true,
    isSurvived: false,
    look: (path) => {
      new MissingWithdrawals(path)
      return { seq: 0, faults: [] }
    },
  },
  // If it is ahead of the journal, the journal lost events and a start fails. If it is behind, transfers are sent again.
  [recordFile]: {
    isFirst: false,
    isSurvived: false,
    upTo: (seq) => (path) => RailRecord.linesUpTo(path, seq),
    look: (path) => {
      const seqs = RailRecord.look(path).rows.map(({ seq }) => seq)
      return { seq: seqs.reduce((max, seq) => Math.max(max, seq), 0), faults: [] }
    },
  },
  // An audit line is written before its action reaches the journal. Copied after the journal, the log has all of them.
  [auditFile]: {
    isFirst: false,
    isSurvived: true,
    namesIn: (dataDir) => auditPartsIn(dataDir).map(({ name }) => name),
    upTo: auditUpTo,
    look: checkAudit,
    lookBetween: (dataDir) => gapsOf(auditPartsIn(dataDir)),
  },
  // Copied after the journal: a request executed in between must not be pending in the copy, or it could run twice.
  [approvalsFile]: {
    isFirst: false,
    isSurvived: true,
    look: (path) => {
      readRequests(path)
      return { seq: 0, faults: [] }
    },
  },
  // Created once, before the first subscription. The journal has the subscriptions.
  [vapidFile]: {
    isFirst: false,
    isSurvived: true,
    look: (path) => {
      const what = 'it is no pair of keys: browsers would have to subscribe again'
      return { seq: 0, faults: readKeys(path) === null ? [{ offset: -1, what }] : [] }
    },
  },
}

export interface OtherFilesScrub {
  /** Faults that keep a venue from starting. */
  readonly faults: readonly Fault[]
  /** Faults with which a venue starts. */
  readonly survived: readonly Fault[]
  /** Highest sequence by file. The journal must reach it. */
  readonly seqs: ReadonlyMap<string, number>
}

/** Checks the files next to the journal. Call it before reading the journal, which is always ahead of them. */
export function scrubOtherFiles(dataDir: string): OtherFilesScrub {
  const [faults, survived]: Fault[][] = [[], []]
  const seqs = new Map<string, number>()
  for (const [known, { isSurvived, namesIn, look, lookBetween }] of Object.entries(otherFiles)) {
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

/** Returns a fault for each file that is ahead of a journal that ends with `lastSeq`. */
export function aheadOf(lastSeq: number, { seqs }: OtherFilesScrub) {
  const ahead = [...seqs]
    .filter(([, seq]) => seq > lastSeq)
    .map(([file, seq]) => {
      const what = `it has sequence ${seq}, but the journal ends with ${lastSeq}`
      return { file, offset: -1, what }
    })
  const isSurvived = ({ file }: Fault) => otherFileOf(file)!.isSurvived
  return { faults: ahead.filter((one) => !isSurvived(one)), survived: ahead.filter(isSurvived) }
}

/** Returns the files that have fewer bytes than the journal knows. @param notedBytes by `NotedFile`. */
export function lostOtherFiles(dataDir: string, notedBytes: ArrayLike<number>): readonly Fault[] {
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

function otherFileOf(file: string): OtherFile | null {
  const known = auditBaseOf(file) === null ? file : auditFile
  return Object.hasOwn(otherFiles, known) ? otherFiles[known]! : null
}

/** Returns true if a file must be copied before the journal. */
export function isCopiedFirst(file: string): boolean {
  return otherFileOf(file)?.isFirst === true
}

/** Yields the copier of each file, for a journal that ends with `seq`. Files of one record come in order. */
export function* copiesOf(
  names: readonly string[],
  seq: number,
): Generator<{ readonly name: string; readonly copyOf: CopyOf | null }> {
  const cutters = new Map<OtherFile, CopyOf>()
  for (const name of [...names].sort(byBase)) {
    const file = otherFileOf(name)
    if (file?.upTo === undefined) {
      yield { name, copyOf: null }
      continue
    }
    const copyOf = cutters.get(file) ?? file.upTo(seq)
    cutters.set(file, copyOf)
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

/** Yields the complete lines of the audit log in order, with their offsets. */
function* auditLines(bytes: Buffer) {
  let at = 0
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
    yield { at, line: auditLineOf(bytes.toString('utf8', at, end)) }
    at = end + 1
  }
}

function checkAudit(path: string): CheckedFile {
  const what = 'a line that cannot be read'
  const faults: { offset: number; what: string }[] = []
  let seq = 0
  for (const { at, line } of auditLines(readFileSync(path))) {
    if (line === null) faults.push({ offset: at, what })
    else seq = Math.max(seq, line.seq ?? 0)
  }
  return { seq, faults }
}

/** Cuts the audit log after the last line up to `seq`. Lines are chained, so none can be left out in between. */
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
