import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type LibSql from 'libsql'
import { makeDirectory } from '../../../engine/journal/node-files.js'
import { microsPerUsd } from '../../../schemas/bounds.js'
import { loadPinned } from '../../native/load-pinned.js'
import { createListed } from './history-lists.js'
import { fills, historyTables, packedTables } from './history-tables.js'
import { createListsSql } from './id-lists.js'
import { nonceLogSql } from './nonce-log.js'
import { packOldSums } from './old-sums.js'
import { completeOldTables, hasOldTables, type OnNote, packOldTables } from './old-tables.js'
import { lastFillSummed, profitsListedSql } from './profit-sums.js'
import { profitSumsSql } from './profit-tables.js'
import { createBlocksSql, rowsBetween, selecting } from './row-blocks.js'
import { addColumnsSql, createSql } from './table.js'
import { VolumeSums } from './volume-sums.js'

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

/** Version of the tables: a store of an earlier one is brought to it when it is opened. */
const schemaVersion = 8

/** Version that wallets' volumes came with: an earlier store has fills, and no sums of them. */
const volumesSince = 4
const volumesSql = `
insert or replace into wallet_volumes (wallet, volume_usd, volume_micros)
select wallet, usd + micros / ${microsPerUsd}, micros % ${microsPerUsd} from (
  select fills.wallet as wallet, sum(trades.notional_micros / ${microsPerUsd}) as usd,
    sum(trades.notional_micros % ${microsPerUsd}) as micros
  from fills join trades on trades.trade_id = fills.trade_id group by fills.wallet
);`

/** Version since which a wallet's sums of a time are one row. */
const packedSumsSince = 5

/** Version since which fills and trades stand in blocks, and orders. */
const blocksSince = 6
const orderBlocksSince = 8

/** Version since which volumes have the fills that sums have, and no others. */
const volumesBehindSince = 7

/** Waited for somebody else's lock; longer ones must not hold the venue. */
const busyMillis = 1000

/** Pages that the writer keeps: those where lists are taken up. */
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
 * @param onNote hears, every few seconds, how far a store of an earlier version has been brought to this one.
 */
export function openHistory(dataDir: string, onNote: OnNote = () => {}): HistoryDatabase {
  makeDirectory(dataDir)
  const path = historyPath(dataDir)
  // Whoever has the machine does not have everybody's trades: SQLite gives its own files the mode of this one.
  for (const file of [path, ...besideFiles(path)]) privateFile(file)
  const database = new Database(path, { timeout: busyMillis })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  // What is sorted and summed up on its way is a few megabytes; a file of it would be written for each transaction.
  database.pragma('temp_store = MEMORY')
  // Checkpoints are the writer's to make, so that a page that changes often moves once.
  database.pragma('wal_autocheckpoint = 0')
  database.pragma(`cache_size = -${cacheKibibytes}`)
  database.exec(progress)
  createListed(database)
  database.exec(profitsListedSql)
  database.exec(profitSumsSql)
  database.exec(nonceLogSql)
  bringToVersion(database, onNote)
  return database
}

/** @throws Error for a store of a later version. */
function bringToVersion(database: HistoryDatabase, onNote: OnNote): void {
  const { version } = database
    .prepare('select user_version as version from pragma_user_version')
    .get() as { readonly version: number }
  if (version > schemaVersion) {
    throw new Error(`the store has version ${version} of its tables, this release ${schemaVersion}`)
  }
  for (const table of historyTables) {
    database.exec(createSql(table))
    if (version < schemaVersion) addColumns(database, table)
  }
  for (const table of packedTables) {
    database.exec(createBlocksSql(table))
    database.exec(createListsSql(table))
  }
  if (version < orderBlocksSince && hasOldTables(database)) {
    const isBeforeBlocks = version < blocksSince
    completeOldTables(database)
    if (isBeforeBlocks && version < volumesSince) database.exec(volumesSql)
    packOldTables(database, onNote)
  }
  if (version < packedSumsSince) packOldSums(database)
  if (version < volumesBehindSince) dropPendingVolumes(database)
  if (version < schemaVersion) database.exec(`pragma user_version = ${schemaVersion}`)
}

/** Of fills that the sums do not have yet: they come to both together. */
function dropPendingVolumes(database: HistoryDatabase): void {
  const volumes = new VolumeSums(database)
  const { last } = database.prepare(lastFillSummed).get() as { readonly last: number }
  const pending = rowsBetween(selecting(database), fills, last + 1, Number.MAX_SAFE_INTEGER)
  for (const { wallet, notionalMicros } of pending) volumes.add(wallet, notionalMicros)
  database.exec('begin immediate')
  volumes.takeAway()
  database.exec(`pragma user_version = ${schemaVersion}; commit`)
}

function addColumns(database: HistoryDatabase, table: (typeof historyTables)[number]): void {
  const known = database.prepare(`select name from pragma_table_info('${table.name}')`).all()
  const names = (known as { readonly name: string }[]).map(({ name }) => name)
  database.exec(addColumnsSql(table, new Set(names)))
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
  return new Database(historyPath(dataDir), { readonly: true })
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
