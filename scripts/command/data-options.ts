import type { Command } from 'commander'
import { VenueFolder } from '../venue-data/venue-folder.js'
import { fromCommandLine } from './verb-command.js'

const dataDirDefault = 'data'

/** The option that names the folder of a venue. */
export function withDataDir(command: Command): Command {
  return command.option('--data-dir <dir>', "folder of the venue's data", dataDirDefault)
}

/** @throws UsageError when it is no folder of a venue. */
export function folderOf(dataDir: string): VenueFolder {
  return fromCommandLine(() => new VenueFolder(dataDir))
}
