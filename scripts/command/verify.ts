import { errorOf } from '../../engine/threads/error-of.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { note, printResult, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { scrubHistory } from '../venue-data/history-scrub.js'
import { JournalReplay } from '../venue-data/journal-replay.js'
import { aheadOf, lostOtherFiles, scrubOtherFiles } from '../venue-data/other-files.js'
import { type Fault, scrubJournal } from '../venue-data/scrub.js'
import type { VenueFolder } from '../venue-data/venue-folder.js'
import { folderOf, withDataDir } from './data-options.js'

const about = `Reads every byte of a venue's data: journal, archive, snapshots, history and the
files next to them. It lists each fault with file and offset, and changes nothing. The venue may
be running. Exit code 1: there is a fault.`

/** Result of a verification. */
export interface Verdict {
  readonly ok: boolean
  readonly faults: readonly Fault[]
  /** The subset of `faults` that does not keep a venue from starting. */
  readonly survived: readonly Fault[]
  readonly notes: readonly string[]
  readonly segments: number
  readonly snapshots: number
  readonly batches: number
  readonly bytes: number
  /** Sequence of the last event, in the journal and in the history store. */
  readonly lastSeq: number
  readonly historySeq: number | null
  /** Number of batches verified by replay; null without a replay. */
  readonly replayed: number | null
}

/** Runs `verify`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('verify', about))
    .option('--replay', 'also replay all data, and compare the state hash of every batch')
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, replay = false } = command.opts()
  const verdict = await verifyFolder(folderOf(dataDir), replay)
  printResult(json, verdict, linesOf(verdict))
  return verdict.ok ? ExitCode.Done : ExitCode.Failed
}

/** Verifies everything in a folder. */
export async function verifyFolder(folder: VenueFolder, replays: boolean): Promise<Verdict> {
  // Read first: in a running venue the journal is always ahead of the files next to it.
  const otherFiles = scrubOtherFiles(folder.dataDir)
  const before = await scrubHistory(folder.dataDir, Number.POSITIVE_INFINITY)
  const { faults, notes, ...counts } = scrubJournal(folder)
  const proof = replays && faults.length === 0 ? prove(folder) : null
  // A last batch that was journaled early has only an upper bound of its sequence.
  const lastSeq = proof?.lastSeq ?? counts.lastSeq
  const ahead =
    (before.lastSeq ?? 0) > lastSeq ? await scrubHistory(folder.dataDir, lastSeq) : before
  const otherFilesAhead = aheadOf(lastSeq, otherFiles)
  // Read last: in a running venue the files are always longer than the sizes noted in the journal.
  const lost = lostOtherFiles(folder.dataDir, counts.notedBytes)
  const survived = [...otherFiles.survived, ...otherFilesAhead.survived, ...lost]
  const fatal = [...faults, ...ahead.faults, ...otherFiles.faults, ...otherFilesAhead.faults]
  const found = [...fatal, ...survived, ...(proof?.faults ?? [])]
  return {
    ok: found.length === 0,
    faults: found,
    survived,
    notes: [...notes, ...(before.lastSeq === null ? ['there is no history store'] : [])],
    ...{ segments: counts.segments, snapshots: counts.snapshots, batches: counts.batches },
    ...{ bytes: counts.bytes, lastSeq, historySeq: before.lastSeq },
    replayed: proof?.batches ?? null,
  }
}

/** Replays everything from the earliest stored state. */
function prove(folder: VenueFolder): {
  readonly faults: readonly Fault[]
  readonly batches: number
  /** Last sequence; null if the replay did not reach the end. */
  readonly lastSeq: number | null
} {
  try {
    const earliest = folder.files.first() >= 0 ? 1 : (folder.store.list()[0] ?? 0) + 1
    const replay = new JournalReplay(folder, earliest)
    return { faults: [], batches: replay.to(), lastSeq: replay.state.sink.seq }
  } catch (error) {
    const { file = 'journal', offset = -1 } = error as Partial<Fault>
    return { faults: [{ file, offset, what: errorOf(error).message }], batches: 0, lastSeq: null }
  }
}

/** Formats the file and offset of a fault. */
export function placeOf({ file, offset }: Fault): string {
  return offset < 0 ? file : `${file} at offset ${offset}`
}

function linesOf({ ok, faults, notes, ...rest }: Verdict): readonly string[] {
  for (const line of notes) note(line)
  const { segments, snapshots, batches, bytes, lastSeq, historySeq, replayed } = rest
  const history = historySeq === null ? '' : `, history up to ${historySeq}`
  const proved = replayed === null ? '' : `; ${replayed} batches replayed to the same hashes`
  const counted =
    `${segments} segments, ${snapshots} snapshots, ${batches} batches, ${bytes} bytes, ` +
    `sequence ${lastSeq}${history}${proved}`
  return [
    ...faults.map((fault) => `${placeOf(fault)}: ${fault.what}`),
    ok
      ? `no faults: ${counted}`
      : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${counted}`,
  ]
}
