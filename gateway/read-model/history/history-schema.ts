import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'

// `nonces` has the highest that a wallet's owner, or its agents, have used, and when they last used one; what is known of
// those that were lost with the journal's end, of numbers and of underlyings stays for good.
// Money is micros, sizes are lots, times are Unix milliseconds; addresses are lower-case text.
const tables = `
create table if not exists progress (
  id integer primary key check (id = 0), last_seq integer not null,
  last_millis integer not null default 0
);
insert or ignore into progress (id, last_seq) values (0, 0);
create table if not exists instruments (
  instrument_id integer primary key, symbol text not null, underlying text not null,
  underlying_index integer not null, state integer not null, expiry_millis integer not null,
  listed_millis integer not null
);
create table if not exists orders (
  order_id integer primary key, wallet text not null, instrument integer not null,
  side integer not null, tif integer not null, flags integer not null, status integer not null,
  price_micros integer not null, size_lots integer not null, filled_lots integer not null,
  filled_micros integer not null, client_id text not null, builder text, result integer not null,
  created_millis integer not null, updated_millis integer not null
);
create table if not exists fills (
  fill_id integer primary key, trade_id integer not null, order_id integer not null,
  wallet text not null, instrument integer not null, side integer not null,
  price_micros integer not null, size_lots integer not null, fee_micros integer not null,
  realized_micros integer not null, is_taker integer not null, builder text,
  builder_fee_micros integer not null, millis integer not null
);
create table if not exists trades (
  trade_id integer primary key, instrument integer not null, underlying_index integer not null,
  price_micros integer not null, size_lots integer not null, notional_micros integer not null,
  taker_side integer not null, maker text not null, taker text not null,
  maker_fee_micros integer not null, taker_fee_micros integer not null, millis integer not null
);
create table if not exists transfers (
  seq integer primary key, wallet text not null, amount_micros integer not null,
  deposit_id text not null, millis integer not null
);
create table if not exists payouts (
  payout_id integer primary key, wallet text not null, instrument integer not null,
  position_lots integer not null, payoff_micros integer not null, value_micros integer not null,
  fee_micros integer not null, cost_micros integer not null, price_micros integer not null,
  is_seen integer not null, millis integer not null, borne_micros integer not null
);
create table if not exists liquidations (
  seq integer primary key, wallet text not null, before_state integer not null,
  before_mode integer not null, state integer not null, mode integer not null,
  margin_mode integer not null, equity_micros integer not null, mm_micros integer not null,
  auction integer not null, needed_micros integer not null, winner text,
  bonus_micros integer not null, insurance_micros integer not null,
  deleveraged_micros integer not null, uncovered_micros integer not null,
  fee_micros integer not null, shared_micros integer not null, millis integer not null
);
create table if not exists nonces (
  wallet text not null, signer integer not null, high integer not null, low integer not null,
  last_seq integer not null, primary key (wallet, signer)
) without rowid;
create table if not exists lost_nonces (
  wallet text not null, signer integer not null, high integer not null, low integer not null,
  primary key (wallet, signer)
) without rowid;
create table if not exists lost_numbers (
  name text primary key, last integer not null
) without rowid;
create table if not exists lost_underlyings (
  underlying text primary key, underlying_index integer not null
) without rowid;
create table if not exists theos (
  interval_millis integer not null, start_millis integer not null, instrument integer not null,
  price_micros integer not null, primary key (interval_millis, start_millis, instrument)
) without rowid;
create table if not exists theo_buckets (
  interval_millis integer not null, start_millis integer not null,
  primary key (interval_millis, start_millis)
) without rowid;`

// An id rises with time, so an index that ends in it answers "newest first" without sorting.
// Indexes per status are partial: a wallet's few working orders are found without a walk over its
// cancelled ones.
const indexes = `
create index if not exists instruments_symbol on instruments (symbol);
create index if not exists instruments_underlying on instruments (underlying);
create index if not exists orders_wallet on orders (wallet, order_id);
create index if not exists orders_client on orders (wallet, client_id, order_id)
  where client_id <> '';
create index if not exists orders_acked on orders (wallet, order_id) where status = 1;
create index if not exists orders_open on orders (wallet, order_id) where status = 2;
create index if not exists orders_partial on orders (wallet, order_id) where status = 3;
create index if not exists orders_working on orders (wallet, order_id) where status in (1, 2, 3);
create index if not exists orders_filled on orders (wallet, order_id) where status = 4;
create index if not exists fills_wallet on fills (wallet, fill_id);
create index if not exists trades_instrument on trades (instrument, trade_id);
create index if not exists trades_underlying on trades (underlying_index, trade_id);
create index if not exists trades_time on trades (millis);
create index if not exists payouts_wallet on payouts (wallet, payout_id);
create index if not exists transfers_wallet on transfers (wallet, seq);
create index if not exists liquidations_wallet on liquidations (wallet, seq);`

/** Waited for somebody else's lock; longer ones must not hold the venue. */
const busyMillis = 1000

export type HistoryDatabase = Database.Database

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
 */
export function openHistory(dataDir: string): HistoryDatabase {
  mkdirSync(dataDir, { recursive: true })
  const path = historyPath(dataDir)
  // Whoever has the machine does not have everybody's trades: SQLite gives its own files the mode of this one.
  for (const file of [path, ...besideFiles(path)]) privateFile(file)
  const database = new Database(path, { timeout: busyMillis })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec(tables)
  database.exec(indexes)
  return database
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

/** Sequence of the last event in the store, seen by an open connection. */
export function lastSeqOf(database: HistoryDatabase): number {
  const row = database.prepare('select last_seq from progress').get() as { last_seq: number }
  return row.last_seq
}

/** Engine time of that event. */
export function lastMillisOf(database: HistoryDatabase): number {
  const row = database.prepare('select last_millis from progress').get() as { last_millis: number }
  return row.last_millis
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
