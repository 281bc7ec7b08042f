import { execFile } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorOf } from '../../engine/threads/error-of.js'
import {
  historyPath,
  openHistoryReadOnly,
  progressOf,
} from '../../gateway/read-model/history/history-schema.js'
import type { Fault } from './scrub.js'

/** Check that a venue itself runs in the background. */
const checkFile = fileURLToPath(
  new URL('../../gateway/read-model/history/history-check.js', import.meta.url),
)
const historyFile = 'history.db'
const pageBytesAt = 16 // offset of the page size in the header of a SQLite file; 1 stands for 65,536

export interface HistoryScrub {
  readonly faults: readonly Fault[]
  /** Sequence of the last event in the store; null if there is no store. */
  readonly lastSeq: number | null
}

/**
 * Checks every page, index and list of the history store, as a running venue does.
 * @param lastSeq last sequence of the journal. A store that is ahead of it has events that the journal lost.
 */
export async function scrubHistory(dataDir: string, lastSeq: number): Promise<HistoryScrub> {
  if (!existsSync(historyPath(dataDir))) return { faults: [], lastSeq: null }
  const faults: Fault[] = []
  const fault = (what: string) => faults.push({ file: historyFile, offset: -1, what })
  if (isCut(historyPath(dataDir))) fault('the last page is incomplete: the file was truncated')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [checkFile, dataDir], {
      env: {},
    })
    if (stdout !== '') fault(stdout)
    const database = openHistoryReadOnly(dataDir)
    const { seq } = progressOf(database)
    database.close()
    if (seq > lastSeq) fault(`it has sequence ${seq}, but the journal ends with ${lastSeq}`)
    return { faults, lastSeq: seq }
  } catch (error) {
    fault(errorOf(error).message)
    return { faults, lastSeq: null }
  }
}

/** Returns true if the file ends within a page. SQLite pads such a page with zeros without an error. */
function isCut(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(pageBytesAt + 2)
    readSync(file, head, 0, head.length, 0)
    const stated = head.readUInt16BE(pageBytesAt)
    const pageBytes = stated === 1 ? 65_536 : stated
    return pageBytes > 0 && fstatSync(file).size % pageBytes !== 0
  } finally {
    closeSync(file)
  }
}
