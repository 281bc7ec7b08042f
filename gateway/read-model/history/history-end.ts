import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AcceptedLoss } from '../../../engine/core/core-start.js'
import {
  type HistoryEnd,
  historyEndAt,
  type LostNonce,
} from '../../../engine/journal/journal-loss.js'
import { syncPath } from '../../../engine/journal/node-files.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { dropStandingsAfter } from './competition-store.js'
import { isRebuilding, quarantineStore } from './history-aside.js'
import {
  type HistoryDatabase,
  historyPath,
  openHistory,
  progressOf,
  progressUpdate,
} from './history-schema.js'
import { fills, lastTradesSql, orders, trades } from './history-tables.js'
import { dropRunsFrom } from './id-lists.js'
import { NonceLog } from './nonce-log.js'
import { isHigherNonce, lostNumbers } from './nonce-tables.js'
import { dropSummed } from './profit-sums.js'
import { idOf, insertSql } from './table.js'

/**
 * Reads the end of the history store. Recovery publishes all later events again; a journal that ends earlier has lost
 * events.
 */
export function readHistoryEnd(dataDir: string): HistoryEnd {
  if (!existsSync(historyPath(dataDir))) return historyEndAt(0)
  const database = openHistory(dataDir)
  try {
    return endOf(database)
  } finally {
    database.close()
  }
}

/**
 * Quarantines a store that cannot be opened and read: damaged, or locked by another process for longer than SQLite
 * waits. So a broken history never keeps the venue from starting, and a new store is filled.
 * @param read opens and reads the store.
 * @returns the reason, as text; null if the store is usable, or there is none.
 * @throws Error if the disk has no room to open a sound store: there would be no room for a new one either.
 */
export function quarantineUnusable(
  dataDir: string,
  read: (dataDir: string) => unknown = readHistoryEnd,
): string | null {
  const path = historyPath(dataDir)
  if (!existsSync(path)) return null
  try {
    read(dataDir)
    return null
  } catch (error) {
    if (isOutOfRoom(error)) {
      throw new Error(`${path}: ${errorOf(error).message}`, { cause: error })
    }
    return `${errorOf(error).message}; moved it to ${quarantineStore(dataDir)}`
  }
}

function isOutOfRoom(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC'
}

/** SQL of the highest numbers used, by table. A fill's number is twice that of its trade, or one more. */
const numberSources = {
  orderCount: [`max(order_id) / ${underlyingsMax} from orders`],
  tradeCount: ['max(trade_id) from trades', 'max(fill_id) / 2 from fills'],
  payoutCount: ['max(payout_id) from payouts'],
  auctionCount: ['max(auction) from liquidations'],
  instrumentCount: ['max(instrument_id) + 1 from instruments'],
} as const
type NumberName = keyof typeof numberSources
const numberNames = Object.keys(numberSources) as NumberName[]

function endOf(database: HistoryDatabase): HistoryEnd {
  const { seq, millis: timeMillis } = progressOf(database)
  const named = { underlyings: underlyingsOf(database), lostNonces: lostNoncesOf(database) }
  return { seq, timeMillis, ...numbersOf(database), ...named }
}

/** Returns the highest numbers used, including lost ones without a row: new numbers continue after them. */
function numbersOf(database: HistoryDatabase): Record<NumberName, number> {
  const numbers = numberNames.map((name) => {
    const sources = [...numberSources[name], `last from lost_numbers where name = '${name}'`]
    const values = sources.map((of) => `coalesce((select ${of}), 0)`).join(', ')
    const row = database.prepare(`select max(0, ${values}) as number`).get()
    return [name, (row as { number: number }).number] as const
  })
  return Object.fromEntries(numbers) as Record<NumberName, number>
}

/**
 * Returns the underlyings, including those whose instruments were lost: otherwise a later crash would lose their names.
 */
function underlyingsOf(database: HistoryDatabase): string[] {
  const rows = database
    .prepare(
      'select underlying, underlying_index from instruments union ' +
        'select underlying, underlying_index from lost_underlyings ' +
        'where underlying not in (select underlying from instruments) order by 2',
    )
    .all()
  return (rows as { underlying: string }[]).map(({ underlying }) => underlying)
}

function lostNoncesOf(database: HistoryDatabase): LostNonce[] {
  return database.prepare('select wallet, signer, high, low from lost_nonces').all() as LostNonce[]
}

/** Saves the numbers, names and nonces of rows that are about to be removed. */
function keepLost(database: HistoryDatabase, loss: AcceptedLoss): void {
  const { border, seq, instrumentCount } = loss
  new NonceLog(database).absorb()
  const number = database.prepare(insertSql(lostNumbers, 1))
  const { instrumentCount: instrumentsEver } = numbersOf(database)
  const last = { ...border, instrumentCount: instrumentsEver }
  for (const name of numberNames) number.run(name, last[name])
  database
    .prepare(
      'insert into lost_underlyings select distinct underlying, underlying_index from instruments ' +
        'where instrument_id >= ? ' +
        'on conflict (underlying) do update set underlying_index = excluded.underlying_index',
    )
    .run(instrumentCount)
  database
    .prepare(
      'insert into lost_nonces select wallet, signer, high, low from nonces where last_seq > ? ' +
        'on conflict (wallet, signer) do update set high = excluded.high, low = excluded.low ' +
        `where ${isHigherNonce}`,
    )
    .run(seq)
}

/**
 * Rolls the store back to the end of the journal. Copies the store first, then removes the rows of lost events. The
 * records that follow a recovery update rows of objects that returned to an earlier state.
 *
 * Everything is on disk on return, for two reasons. The journal then records durably that the loss was accepted, so no
 * later start would remove rows that a power cut had restored. And the lost numbers and nonces are stored nowhere else.
 * @returns the name of the copy, and the nonces known to be lost; null if there is no store.
 */
export function recoverHistory(
  dataDir: string,
  loss: AcceptedLoss,
): { readonly copy: string; readonly lostNonces: readonly LostNonce[] } | null {
  const path = historyPath(dataDir)
  // A rebuild of the store starts from the beginning.
  if (isRebuilding(dataDir) || !existsSync(path)) return null
  const copy = `${path}.before-loss-${loss.border.seq}`
  const database = openHistory(dataDir)
  try {
    if (!existsSync(copy)) copyInto(database, copy)
    // Flushes the directory entries of the copy and of the write-ahead log, which opening the store created.
    syncPath(dirname(copy))
    // Each commit now flushes the write-ahead log.
    database.pragma('synchronous = FULL')
    database.exec('begin immediate')
    keepLost(database, loss)
    dropLost(database, loss)
    database.exec('commit')
    return { copy, lostNonces: lostNoncesOf(database) }
  } finally {
    database.close()
  }
}

/**
 * Copies the store. The copy gets its final name only when it is complete and on disk, because the next start trusts
 * that name and removes the rows. Removes the remains of an attempt that crashed.
 */
function copyInto(database: HistoryDatabase, copy: string): void {
  const part = `${copy}.part`
  rmSync(part, { force: true })
  // SQLite fills this empty file and keeps its mode, so other users can never read it.
  closeSync(openSync(part, 'wx', 0o600))
  database.prepare('vacuum into ?').run(part)
  syncPath(part)
  renameSync(part, copy)
}

function dropLost(database: HistoryDatabase, loss: AcceptedLoss): void {
  const remove = (sql: string, above: number) => database.prepare(sql).run(above)
  // Standings change only if the store has lost events.
  if (progressOf(database).seq > loss.seq) dropStandingsAfter(database, loss.seq)
  // The records that follow a recovery repeat all referrals.
  database.exec('delete from referrals')
  // Subtracts the rows from the sums before they are removed.
  dropSummed(database, {
    fills: loss.tradeCount * 2 + 1,
    payouts: loss.payoutCount,
    ...{ moves: loss.seq, cash_changes: loss.seq, transfers: loss.seq },
  })
  for (const [table, first] of [
    [orders, (loss.orderCount + 1) * underlyingsMax],
    [trades, loss.tradeCount + 1],
    [fills, (loss.tradeCount + 1) * 2],
  ] as const) {
    dropRunsFrom(database, table, first)
    remove(`delete from ${table.name} where ${idOf(table)} >= ?`, first)
  }
  remove(
    lastTradesSql('instrument in (select instrument from last_trades where trade_id > ?)'),
    loss.tradeCount,
  )
  remove('delete from last_trades where trade_id > ?', loss.tradeCount)
  remove('delete from payouts where payout_id > ?', loss.payoutCount)
  remove('delete from transfers where seq > ?', loss.seq)
  remove('delete from moves where seq > ?', loss.seq)
  remove('delete from cash_changes where seq > ?', loss.seq)
  remove('delete from directives where seq > ?', loss.seq)
  remove('delete from liquidations where seq > ?', loss.seq)
  remove('delete from rfqs where seq > ?', loss.seq)
  remove('delete from rfq_quotes where seq > ?', loss.seq)
  remove('delete from instruments where instrument_id >= ?', loss.instrumentCount)
  remove('delete from theos where instrument >= ?', loss.instrumentCount)
  const { seq, timeMillis } = loss.border
  database.prepare(progressUpdate).run(seq, timeMillis)
}
