import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type LibSql from 'libsql'
import { makeDirectory } from '../../../engine/journal/node-files.js'
import { loadPinned } from '../../native/load-pinned.js'
import { historyTables } from './history-tables.js'
import { createListsSql, createRunsSql } from './id-lists.js'
import { nonceLogSql } from './nonce-log.js'
import { profitsListedSql } from './profit-sums.js'
import { profitSumsSql } from './profit-tables.js'
import { createSql } from './table.js'

const Database = loadPinned<typeof LibSql>('libsql')

// How far the store has come, one row.
const progress = `
create table if not exists progress (
  id integer primary key check (id = 0), last_seq integer not null,
  last_millis integer not null default 0
);
insert or ignore into progress (id, last_seq) values (0, 0);`
/** Takes sequence and engine time of the last event in the store. */
export const progressUpdate = 'update progress set last_seq = ?, last_millis = ?'

/** 'STRH', the SQLite application id in the header of the file (`old-release.ts`). */
const storeMagic = 0x53545248

/** Version of the tables. A store of another version is quarantined, and the journal fills a new one. */
const schemaVersion = 11

/** Waited for somebody else's lock; longer ones must not hold the venue. */
const busyMillis = 1000

/** Of a new file. Writing took 7% less time than with pages of 4096 bytes. */
const pageBytes = 8192

/** Cache of the writer, for the pages of the lists. */
const cacheKibibytes = 16_384

export type HistoryDatabase = LibSql.Database

/** File of the history store inside the data directory; SQLite adds its own two beside it. */
export function historyPath(dataDir: string): string {
  return join(dataDir, 'history.db')
}

/** Files that SQLite keeps beside a store. */
export function besideFiles(path: string): string[] {
  return [`${path}-wal`, `${path}-shm`]
}

/** Makes a file its owner's alone; the store's own is created when it is missing. */
export function privateFile(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o600)
  else if (path.endsWith('.db')) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Opens the store for its one writer, and creates what is missing.
 *
 * A commit is not flushed: the journal can bring back what a power failure takes. Checkpoints are,
 * so that the store then goes back to an earlier whole state, whose `last_seq` tells from where to
 * replay. Only what the journal cannot bring back, the end of an accepted loss, asks for more.
 * @throws Error for a file that is no history store, and for a store of another version.
 */
export function openHistory(dataDir: string): HistoryDatabase {
  makeDirectory(dataDir)
  const path = historyPath(dataDir)
  // Whoever has the machine does not have everybody's trades: SQLite gives its own files the mode of this one.
  for (const file of [path, ...besideFiles(path)]) privateFile(file)
  const database = new Database(path, { timeout: busyMillis })
  // Before WAL mode, so that the id is in the file itself and not in its log.
  mark(database)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  // What is sorted and summed up on its way is a few megabytes; a file of it would be written for each transaction.
  database.pragma('temp_store = MEMORY')
  // Checkpoints are the writer's to make, so that a page that changes often moves once.
  database.pragma('wal_autocheckpoint = 0')
  database.pragma(`cache_size = -${cacheKibibytes}`)
  database.exec(progress)
  database.exec(createRunsSql)
  database.exec(profitsListedSql)
  database.exec(profitSumsSql)
  database.exec(nonceLogSql)
  for (const table of historyTables) database.exec(createSql(table) + createListsSql(table))
  return database
}

/** Writes the application id and the version of a new file. @throws Error if an existing file has others. */
function mark(database: HistoryDatabase): void {
  const { pages } = rowOf<{ pages: number }>(database, 'page_count as pages from pragma_page_count')
  if (pages === 0) {
    database.pragma(`page_size = ${pageBytes}`)
    database.exec(
      `begin; pragma application_id = ${storeMagic}; pragma user_version = ${schemaVersion}; commit`,
    )
  }
  checkVersion(database)
}

/** @throws Error if a file is no history store of this release. */
function checkVersion(database: HistoryDatabase): void {
  const { id } = rowOf<{ id: number }>(database, 'application_id as id from pragma_application_id')
  if (id !== storeMagic) throw new Error('the file is no history store of this release')
  const sql = 'user_version as version from pragma_user_version'
  const { version } = rowOf<{ version: number }>(database, sql)
  if (version !== schemaVersion) {
    throw new Error(`the store has version ${version} of its tables, this release ${schemaVersion}`)
  }
}

function rowOf<Row>(database: HistoryDatabase, what: string): Row {
  return database.prepare(`select ${what}`).get() as Row
}

/**
 * Moves what is committed from the log into the store's file and flushes it, as far as no query is in the way.
 *
 * As `exec`, because that keeps nothing: objects of the native addon are finalised by the event loop, which the
 * writer's thread never comes back to, so that every statement made by `pragma` would stay for ever.
 */
export function checkpoint(database: HistoryDatabase): void {
  database.exec('pragma wal_checkpoint(PASSIVE)')
}

/** Opens the store for queries; the writer has created it. */
export function openHistoryReadOnly(dataDir: string): HistoryDatabase {
  const database = new Database(historyPath(dataDir), { readonly: true })
  try {
    checkVersion(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Sequence and engine time of the last event in the store, seen by an open connection. */
export function progressOf(database: HistoryDatabase) {
  const row = database.prepare('select last_seq as seq, last_millis as millis from progress').get()
  return row as { readonly seq: number; readonly millis: number }
}

/** Index of the underlying by instrument id, of all instruments that the store knows. */
export function underlyingsOf(database: HistoryDatabase): number[] {
  const rows = database.prepare('select instrument_id, underlying_index from instruments').all()
  const underlyings: number[] = []
  for (const row of rows as { instrument_id: number; underlying_index: number }[]) {
    underlyings[row.instrument_id] = row.underlying_index
  }
  return underlyings
}
