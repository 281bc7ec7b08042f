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
import { dropStandingsBehind } from './competition-store.js'
import { isRebuilding, setAside } from './history-aside.js'
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
 * How far the history store has come: recovery publishes all later events again, and a journal that ends before it
 * has lost something.
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
 * Sets a store aside that cannot be opened and read (damaged, or locked by somebody else for longer than SQLite waits):
 * no history keeps the venue from starting. A new one is filled beside it.
 * @param read opens it.
 * @returns why, in words; null when the store is usable, or there is none.
 * @throws Error when the disk has no room to open a sound store: none would be there to fill a new one.
 */
export function setAsideUnusable(
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
    return `${errorOf(error).message}; it stands in ${setAside(dataDir)} now`
  }
}

function isOutOfRoom(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC'
}

/** What tables tell of the numbers given so far. A fill's number is twice that of its trade, or one more. */
const numbersTold = {
  orderCount: [`max(order_id) / ${underlyingsMax} from orders`],
  tradeCount: ['max(trade_id) from trades', 'max(fill_id) / 2 from fills'],
  payoutCount: ['max(payout_id) from payouts'],
  auctionCount: ['max(auction) from liquidations'],
  instrumentCount: ['max(instrument_id) + 1 from instruments'],
} as const
type NumberName = keyof typeof numbersTold
const numberNames = Object.keys(numbersTold) as NumberName[]

function endOf(database: HistoryDatabase): HistoryEnd {
  const { seq, millis: timeMillis } = progressOf(database)
  const named = { underlyings: underlyingsOf(database), lostNonces: lostNoncesOf(database) }
  return { seq, timeMillis, ...numbersOf(database), ...named }
}

/** The highest numbers, also of what was lost before: they go on behind them, though no row has them any more. */
function numbersOf(database: HistoryDatabase): Record<NumberName, number> {
  const numbers = numberNames.map((name) => {
    const told = [...numbersTold[name], `last from lost_numbers where name = '${name}'`]
    const values = told.map((of) => `coalesce((select ${of}), 0)`).join(', ')
    const row = database.prepare(`select max(0, ${values}) as number`).get()
    return [name, (row as { number: number }).number] as const
  })
  return Object.fromEntries(numbers) as Record<NumberName, number>
}

/** Those whose instruments were lost before are among them, or a crash behind that would leave their ids without a name. */
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

/** Keeps what the rows that go have told of numbers, names and nonces. */
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
 * Brings the store back to what the journal still holds: rows of what was lost go, and a copy of the store as it was
 * stays beside it. What went back to an earlier state is told again by the records that follow a recovery.
 *
 * All of it is on disk at the end. The journal goes on behind it and says durably that the loss was accepted, so that no
 * later start would take the rows away again that a power cut had brought back, and what is known of lost numbers and
 * nonces stands nowhere else.
 * @returns the name of the copy, and the nonces that it knows to be lost; null where there is no store.
 */
export function bringHistoryBack(
  dataDir: string,
  loss: AcceptedLoss,
): { readonly copy: string; readonly lostNonces: readonly LostNonce[] } | null {
  const path = historyPath(dataDir)
  // One that is being filled is begun anew.
  if (isRebuilding(dataDir) || !existsSync(path)) return null
  const copy = `${path}.before-loss-${loss.border.seq}`
  const database = openHistory(dataDir)
  try {
    if (!existsSync(copy)) copyInto(database, copy)
    // The name of the copy, and that of the write-ahead log, which was created when the store was opened.
    syncPath(dirname(copy))
    // From here on a commit flushes the log.
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
 * A copy has its name once it is whole and on disk: the next start takes what has that name for the store as it was, and
 * the rows go. What a crash has left of an earlier attempt goes first.
 */
function copyInto(database: HistoryDatabase, copy: string): void {
  const part = `${copy}.part`
  rmSync(part, { force: true })
  // SQLite fills an empty file, which keeps its mode: at no time may others read it.
  closeSync(openSync(part, 'wx', 0o600))
  database.prepare('vacuum into ?').run(part)
  syncPath(part)
  renameSync(part, copy)
}

function dropLost(database: HistoryDatabase, loss: AcceptedLoss): void {
  const remove = (sql: string, above: number) => database.prepare(sql).run(above)
  // Only what the store was told of what is lost has to go.
  if (progressOf(database).seq > loss.seq) dropStandingsBehind(database, loss.seq)
  // The records that follow a recovery tell all there are.
  database.exec('delete from referrals')
  // What sums have of rows that go, before they go.
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
