import { renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type DataLock, lockDataDirectory } from '../../engine/journal/data-lock.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import {
  fromCommandLine,
  note,
  printResult,
  UsageError,
  verbCommand,
} from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { readCommandLine } from '../../gateway/config/command-line.js'
import { identityOf } from '../../gateway/config/engine-config.js'
import { changedFiles, type Manifest, manifestName, readManifest } from '../venue-data/backup.js'
import { type ProvenEnd, provenEnd } from '../venue-data/proven-end.js'
import { VenueFolder } from '../venue-data/venue-folder.js'
import { copyWhole, filled, isVacant, syncFolders } from '../venue-data/whole-files.js'
import { withDataDir } from './data-options.js'
import { timeText } from './inspect/view.js'
import { placeOf, verifyFolder } from './verify.js'

const about = `Restores a backup into an empty folder, from which a venue can start. It compares
every file with the manifest, verifies the data as verify does, and replays it to the state hash
of the backup. It fails for a folder that is not empty, and for data of another preset, service
or chain, unless an option allows it.`

const examples = [
  'strikebook restore --from /backup/monday --data-dir data --replace',
  'strikebook restore --from /backup/monday --config venue.toml',
]

/** Runs `restore`. */
export const runVerb: RunVerb = async (argv) => {
  const command = withDataDir(verbCommand('restore', about, examples))
    .requiredOption('--from <dir>', 'folder of the backup')
    .option('--config <file>', 'configuration of the venue that will use the data')
    .option('--preset <name>', 'preset of that venue, instead of --config')
    .option('--any-identity', 'allow data of another venue')
    .option('--replace', 'rename the existing folder first')
    .parse([...argv], { from: 'user' })
  const { dataDir, json = false, from, replace = false, ...wanted } = command.opts()
  const manifest = readManifest(from)
  if (manifest === null) {
    throw new UsageError(`${resolve(from)} is not a complete backup: ${manifestName} is missing`)
  }
  checkIdentity(manifest, wanted)
  const isEmpty = fromCommandLine(() => isVacant(dataDir))
  if (!isEmpty && !replace) {
    throw new UsageError(`${dataDir} is not empty; --replace renames it first`)
  }
  const changed = changedFiles(from, manifest)
  if (changed.length > 0) throw new Error(`the backup is damaged: ${changed.join('; ')}`)
  const aside = isEmpty ? null : await renameExisting(dataDir)
  const end = await restoreFiles(from, dataDir, manifest, aside)
  if (aside !== null) note(`the previous ${dataDir} is now ${aside}`)
  printResult(json, { ok: true, dataDir, aside, identity: manifest.identity, ...end }, [
    `${dataDir}: ${manifest.identity}`,
    `up to batch ${end.lastBatch}, sequence ${end.lastSeq}, ${timeText(end.timeMillis)}, state ${end.stateHash}, ` +
      `verified`,
    ...Object.entries(end.counts).map(([name, count]) => `${name}: ${count}`),
  ])
  return ExitCode.Done
}

interface Wanted {
  readonly config?: string
  readonly preset?: string
  readonly anyIdentity?: true
}

function checkIdentity({ identity }: Manifest, { anyIdentity, config, preset }: Wanted): void {
  if (anyIdentity) return
  const flags = [
    ...(config === undefined ? [] : [`--config=${config}`]),
    ...(preset === undefined ? [] : [`--preset=${preset}`]),
  ]
  const own = identityOf(readCommandLine(flags, process.env).config)
  if (own === identity) return
  throw new UsageError(
    `the backup belongs to ${identity}, the configuration to ${own}; select the venue with --config or --preset, ` +
      `or ` +
      'allow any with --any-identity',
  )
}

/** Renames the existing folder and returns its new name. @throws DataLockHeld if a venue runs on it. */
async function renameExisting(dataDir: string): Promise<string> {
  const lock: DataLock = await lockDataDirectory(dataDir)
  await lock.release()
  const aside = `${dataDir.replace(/\/+$/, '')}.before-restore-${Date.now()}`
  renameSync(dataDir, aside)
  return aside
}

/** Copies the backup into the folder and verifies it. A failure puts the previous folder back. */
async function restoreFiles(
  from: string,
  dataDir: string,
  manifest: Manifest,
  aside: string | null,
): Promise<ProvenEnd> {
  try {
    // The data lock keeps a venue from starting on a partial copy.
    return await filled(dataDir, () => copyAndVerify(from, dataDir, manifest), lockDataDirectory)
  } catch (error) {
    if (aside !== null) renameSync(aside, dataDir)
    throw error
  }
}

async function copyAndVerify(
  from: string,
  dataDir: string,
  manifest: Manifest,
): Promise<ProvenEnd> {
  for (const { file, sha256 } of manifest.files) {
    const copied = copyWhole(join(from, file), dataDir, file)
    if (copied.sha256 !== sha256) throw new Error(`${file} changed while it was copied`)
  }
  syncFolders(dataDir)
  const folder = new VenueFolder(dataDir)
  const { faults: found, survived } = await verifyFolder(folder, false)
  for (const fault of survived) note(`${placeOf(fault)}: ${fault.what}`)
  const faults = found.filter((fault) => !survived.includes(fault))
  const end = provenEnd(folder)
  const { lastBatch, stateHash } = manifest
  const isSame = end.lastBatch === lastBatch && end.stateHash === stateHash
  if (faults.length === 0 && isSame) return end
  const fault = faults[0]
  const what =
    fault === undefined ? 'another state than the backup' : `${fault.file}: ${fault.what}`
  throw new Error(`the restored data in ${dataDir} is not sound: ${what}`)
}
