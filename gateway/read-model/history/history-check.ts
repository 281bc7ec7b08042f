import { constants, setPriority } from 'node:os'
import { errorOf } from '../../../engine/threads/error-of.js'
import { type HistoryDatabase, openHistoryReadOnly } from './history-schema.js'
import { listMistakes } from './list-check.js'

// Program that checks a store. The argument is the folder of the store. Writes the first finding to standard output, or
// nothing. It is a separate process because calls of SQLite cannot be interrupted, but a process can be killed.

const faults = /^SQLITE_(CORRUPT|NOTADB|IOERR)/

const [, , dataDir] = process.argv
const parent = process.ppid
lowerPriority()
try {
  const database = openHistoryReadOnly(dataDir)
  const finding = firstFinding(database)
  database.close()
  process.stdout.write(finding)
} catch (error) {
  if (!faults.test(String((error as { code?: unknown }).code))) throw error
  process.stdout.write(errorOf(error).message)
}

/**
 * Returns the first finding; '': none. Checks table by table, because a read keeps the write-ahead log from shrinking.
 */
function firstFinding(database: HistoryDatabase): string {
  const select = "select name from sqlite_schema where type = 'table' order by name"
  for (const { name } of database.prepare(select).all() as { name: string }[]) {
    const isOrphan = process.ppid !== parent
    if (isOrphan) break
    const rows = database.prepare(`pragma integrity_check('${name}')`).all()
    const [{ integrity_check: finding }] = rows as { integrity_check: string }[]
    if (finding !== 'ok') return `${name}: ${finding.slice(0, 500)}`
  }
  for (const name of listMistakes(database)) {
    const isOrphan = process.ppid !== parent
    if (isOrphan) break
    if (name !== '') return `${name}: not what its table says`
  }
  return ''
}

/** Lowers the priority of the process, so that it only uses idle time of the core. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Not permitted on this machine: the priority stays.
  }
}
