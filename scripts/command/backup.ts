import { copyVenue, writeManifest } from '../venue-data/backup.js'
import { provenEnd } from '../venue-data/proven-end.js'
import { VenueFolder } from '../venue-data/venue-folder.js'
import { isVacant } from '../venue-data/whole-files.js'
import { folderOf, withDataDir } from './data-options.js'
import { ExitCode } from './exit-code.js'
import { timeText } from './inspect/view.js'
import { note, printResult, UsageError, verbCommand } from './verb-command.js'
import type { RunVerb } from './verbs.js'
import { verifyFolder } from './verify.js'

const about = `Copies a venue's data, of one that runs too, into a new folder: snapshots, history store, journal and
archive, flushed. What was acknowledged before it began is in it. The copy is then verified: every
checksum, and a replay of what a start would replay. The operator's token is left out.`

/** Takes the backup that the command line asks for. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('backup', about))
    .requiredOption('--to <dir>', 'where it goes: a folder that is empty or not there')
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, to } = command.opts()
  if (!isVacant(to)) throw new UsageError(`${to} is not empty`)
  const folder = folderOf(dataDir)
  const takenMillis = Date.now()
  const { files, notes } = copyVenue(folder, to)
  for (const line of notes) note(line)
  const copy = new VenueFolder(to)
  const { ok, faults, historySeq } = await verifyFolder(copy, false)
  if (!ok) {
    printResult(
      json,
      { ok, faults },
      faults.map(({ file, what }) => `${file}: ${what}`),
    )
    return ExitCode.Failed
  }
  const { counts, ...end } = provenEnd(copy)
  const { identity } = folder
  writeManifest(to, { identity, takenMillis, ...end, files })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const fileCount = files.length
  printResult(json, { ok, to, identity, ...end, historySeq, fileCount, bytes, counts }, [
    `${to}: ${identity}`,
    `up to batch ${end.lastBatch}, sequence ${end.lastSeq}, ${timeText(end.timeMillis)}, state ${end.stateHash}`,
    `${fileCount} files, ${bytes} bytes, verified`,
  ])
  return ExitCode.Done
}
