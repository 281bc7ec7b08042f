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

// Position of the store in the event log, one row.
const progressSql = `
create table if not exists progress (
  id integer primary key check (id = 0), last_seq integer not null,
  last_millis integer not null default 0
);
insert or ignore into progress (id, last_seq) values (0, 0);`
/** SQL that sets the sequence and the engine time of the last event in the store. */
export const progressUpdate = 'update progress set last_seq = ?, last_millis = ?'

/** 'STRH', the SQLite application id in the header of the file (`old-release.ts`). */
const storeMagic = 0x53545248

/** Version of the tables. A store of another version is quarantined, and the journal fills a new one. */
const schemaVersion = 12

/** Wait for a lock of another process. A longer lock must not delay the venue. */
const busyMillis = 1000

/** Page size of a new file: twice the default of SQLite, so that bulk writes touch fewer pages. */
const pageBytes = 8192

/** Cache of the writer, for the pages of the lists. */
const cacheKibibytes = 16_384

export type HistoryDatabase = LibSql.Database

/** Returns the file of the history store in the data directory. SQLite adds two files of its own. */
export function historyPath(dataDir: string): string {
  return join(dataDir, 'history.db')
}

/** Returns the files that SQLite adds to a store. */
export function sqliteFilesOf(path: string): string[] {
  return [`${path}-wal`, `${path}-shm`]
}

/** Restricts a file to its owner. Creates the store's own file if it is missing. */
export function privateFile(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o600)
  else if (path.endsWith('.db')) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Opens the store for its only writer, and creates missing tables.
 *
 * Commits are not flushed: the journal can restore what a power failure takes. Checkpoints are flushed, so the store
 * returns to an earlier consistent state, whose `last_seq` is where the replay begins. Only an accepted loss needs
 * flushed commits, because the journal cannot restore it.
 * @throws Error if the file is not a history store, or has another version.
 */
export function openHistory(dataDir: string): HistoryDatabase {
  makeDirectory(dataDir)
  const path = historyPath(dataDir)
  // Other users of the machine must not read the trades. SQLite gives its own files the mode of this one.
  for (const file of [path, ...sqliteFilesOf(path)]) privateFile(file)
  const database = new Database(path, { timeout: busyMillis })
  // Before WAL mode, so that the application id is in the file itself and not in its log.
  mark(database)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  // Sorts and sums need a few megabytes. A temporary file would be written in each transaction.
  database.pragma('temp_store = MEMORY')
  // The writer makes the checkpoints, so that a page that changes often is moved once.
  database.pragma('wal_autocheckpoint = 0')
  database.pragma(`cache_size = -${cacheKibibytes}`)
  database.exec(progressSql)
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
  if (id !== storeMagic) throw new Error('the file is not a history store of this release')
  const sql = 'user_version as version from pragma_user_version'
  const { version } = rowOf<{ version: number }>(database, sql)
  if (version !== schemaVersion) {
    throw new Error(`the store has table version ${version}; this release needs ${schemaVersion}`)
  }
}

function rowOf<Row>(database: HistoryDatabase, selection: string): Row {
  return database.prepare(`select ${selection}`).get() as Row
}

/**
 * Moves committed pages from the write-ahead log into the store's file and flushes it, as far as open queries permit.
 *
 * Uses `exec`, which leaks nothing. The event loop finalizes objects of the native addon, but the writer's thread never
 * returns to it, so every statement made by `pragma` would stay allocated.
 */
export function checkpoint(database: HistoryDatabase): void {
  database.exec('pragma wal_checkpoint(PASSIVE)')
}

/** Opens an existing store for queries. @throws Error if it is not a history store of this version. */
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

/** Returns the sequence and engine time of the last event in the store, as an open connection sees it. */
export function progressOf(database: HistoryDatabase) {
  const row = database.prepare('select last_seq as seq, last_millis as millis from progress').get()
  return row as { readonly seq: number; readonly millis: number }
}

/** Returns the index of the underlying by instrument id, for all instruments in the store. */
export function underlyingsOf(database: HistoryDatabase): number[] {
  const rows = database.prepare('select instrument_id, underlying_index from instruments').all()
  const underlyings: number[] = []
  for (const row of rows as { instrument_id: number; underlying_index: number }[]) {
    underlyings[row.instrument_id] = row.underlying_index
  }
  return underlyings
}
