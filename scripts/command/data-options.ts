import type { Command } from 'commander'
import { errorOf } from '../../engine/threads/error-of.js'
import { UsageError } from '../../gateway/command-line/verb-command.js'
import { VenueFolder } from '../venue-data/venue-folder.js'

const dataDirDefault = 'data'

/** Adds `--data-dir`, the folder of a venue. */
export function withDataDir(command: Command): Command {
  return command.option('--data-dir <dir>', 'data folder of the venue', dataDirDefault)
}

/** @throws UsageError if it is not a venue's folder; Error if it cannot be read. */
export function folderOf(dataDir: string): VenueFolder {
  try {
    return new VenueFolder(dataDir)
  } catch (error) {
    const isUnread = error instanceof Error && 'code' in error
    throw isUnread ? error : new UsageError(errorOf(error).message)
  }
}
