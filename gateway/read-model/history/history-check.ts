import { constants, setPriority } from 'node:os'
import { errorOf } from '../../../engine/threads/error-of.js'
import { type HistoryDatabase, openHistoryReadOnly } from './history-schema.js'
import { listMistakes } from './list-check.js'

// A process of its own, with the folder of the store as its argument: what it finds goes to standard output, and
// nothing when there is nothing. No call of SQLite can be interrupted, but a process can be ended at any time.

const faults = /^SQLITE_(CORRUPT|NOTADB|IOERR)/

const [, , dataDir] = process.argv
const parent = process.ppid
giveWay()
try {
  const database = openHistoryReadOnly(dataDir)
  const finding = firstFinding(database)
  database.close()
  process.stdout.write(finding)
} catch (error) {
  if (!faults.test(String((error as { code?: unknown }).code))) throw error
  process.stdout.write(errorOf(error).message)
}

/** Table by table: a read holds the write-ahead log as long as it takes. */
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

/** It runs when nobody else wants the core. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed here: it keeps its turn.
  }
}
