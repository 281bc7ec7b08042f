import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorOf } from '../../engine/threads/error-of.js'
import {
  historyPath,
  openHistoryReadOnly,
  progressOf,
} from '../../gateway/read-model/history/history-schema.js'
import type { Fault } from './scrub.js'

/** The venue's own check, which it runs in the background. */
const checkFile = fileURLToPath(
  new URL('../../gateway/read-model/history/history-check.js', import.meta.url),
)
const historyFile = 'history.db'

export interface HistoryScrub {
  readonly faults: readonly Fault[]
  /** Sequence of the last event that it has; null where there is no store. */
  readonly lastSeq: number | null
}

/**
 * Checks every page, index and list of the history store, as a running venue does.
 * @param lastSeq what the journal knows: a store that is ahead of it has seen something that is gone.
 */
export async function scrubHistory(dataDir: string, lastSeq: number): Promise<HistoryScrub> {
  if (!existsSync(historyPath(dataDir))) return { faults: [], lastSeq: null }
  const faults: Fault[] = []
  const fault = (what: string) => faults.push({ file: historyFile, offset: -1, what })
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [checkFile, dataDir], {
      env: {},
    })
    if (stdout !== '') fault(stdout)
    const database = openHistoryReadOnly(dataDir)
    const { seq } = progressOf(database)
    database.close()
    if (seq > lastSeq) fault(`it has seen sequence ${seq}, the journal ends with ${lastSeq}`)
    return { faults, lastSeq: seq }
  } catch (error) {
    fault(errorOf(error).message)
    return { faults, lastSeq: null }
  }
}
