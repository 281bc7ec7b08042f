import { writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { errorOf } from '../../engine/threads/error-of.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import {
  fromCommandLine,
  note,
  printResult,
  UsageError,
  verbCommand,
} from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { backupNote } from '../../gateway/operator/upkeep-metrics.js'
import { copyVenue, writeManifest } from '../venue-data/backup.js'
import { provenEnd } from '../venue-data/proven-end.js'
import { VenueFolder } from '../venue-data/venue-folder.js'
import { filled, isVacant } from '../venue-data/whole-files.js'
import { folderOf, withDataDir } from './data-options.js'
import { timeText } from './inspect/view.js'
import { placeOf, verifyFolder } from './verify.js'

const about = `Copies the data of a venue into a new folder: snapshots, history store, journal
and archive, flushed. The venue may be running. The copy has everything that was acknowledged
before it began. The command then verifies every checksum of the copy, and replays what a start
would replay. The copy does not have the operator's token.`

/** Runs `backup`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('backup', about))
    .requiredOption('--to <dir>', 'folder of the copy; must be empty or missing')
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, to } = command.opts()
  if (!fromCommandLine(() => isVacant(to))) throw new UsageError(`${to} is not empty`)
  const folder = folderOf(dataDir)
  if (isBelow(to, dataDir)) throw new UsageError(`${to} is inside the data folder`)
  const { identity } = folder
  const { files, historySeq, counts, ...end } = await filled(to, () => backUp(folder, to))
  noteBackup(dataDir, to)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const fileCount = files.length
  printResult(json, { ok: true, to, identity, ...end, historySeq, fileCount, bytes, counts }, [
    `${to}: ${identity}`,
    `up to batch ${end.lastBatch}, sequence ${end.lastSeq}, ${timeText(end.timeMillis)}, state ${end.stateHash}`,
    `${fileCount} files, ${bytes} bytes, verified`,
  ])
  return ExitCode.Done
}

/** Copies the folder, verifies the copy and writes its manifest. @throws Error if the copy is not sound. */
async function backUp(folder: VenueFolder, to: string) {
  const takenMillis = Date.now()
  const { files, notes } = copyVenue(folder, to)
  for (const line of notes) note(line)
  const copy = new VenueFolder(to)
  const { faults: found, survived, historySeq } = await verifyFolder(copy, false)
  for (const fault of survived) note(`${placeOf(fault)}: ${fault.what}`)
  const faults = found.filter((fault) => !survived.includes(fault))
  if (faults.length > 0) {
    const lines = faults.map((fault) => `${placeOf(fault)}: ${fault.what}`)
    throw new Error(`the copy has faults and was deleted: ${lines.join('; ')}`)
  }
  const { counts, ...end } = provenEnd(copy)
  writeManifest(to, { identity: folder.identity, takenMillis, ...end, files })
  return { files, historySeq, counts, ...end }
}

/** Writes a note into the data folder. Its modification time is the metric `strikebook_backup_timestamp_seconds`. */
function noteBackup(dataDir: string, to: string): void {
  try {
    writeFileSync(join(dataDir, backupNote), `${resolve(to)}\n`, { mode: 0o600 })
  } catch (error) {
    note(`the venue cannot monitor the age of this backup: ${errorOf(error).message}`)
  }
}

/** Returns true if a path is the folder or lies below it. */
function isBelow(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)
}
