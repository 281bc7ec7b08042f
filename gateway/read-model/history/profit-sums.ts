import { Side } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { FillSums } from './fill-sums.js'
import { GatheredSums, type SumsByWallet, sumsOfWallet } from './gathered-sums.js'
import type { HistoryDatabase } from './history-schema.js'
import { fills } from './history-tables.js'
import {
  bucketIntervals,
  profitDays,
  profitHours,
  profitSpans,
  profitSums,
} from './profit-tables.js'
import { highestId, selecting } from './stored-rows.js'
import { sqlName } from './table.js'
import { bucketStartMillis } from './theo-intervals.js'
import { VolumeSums } from './volume-sums.js'
import {
  addPacked,
  negated,
  type PackedSums,
  packSums,
  type SumRow,
  type WalletSums,
} from './wallet-sums.js'

// The writer absorbs rows into the sums of their wallets in chunks. A query adds the few rows that are not absorbed
// yet, as with lists.
//
//      fills, payouts, moves, cash, deposits
//      +------------- ... ------------+---------+
//      | absorbed                     | not yet |  -----> profit_spans  5 minutes, wallet: sums by instrument
//      +------------- ... ------------+---------+             | when the five minutes have ended
//                        `profits_listed.last` ^              +--> profit_hours  hour, wallet: the same
//                                                                     | when the hour has ended
//                                                                     +--> profit_days  wallet, day: the same
//
// A wallet may trade hundreds of instruments. So each absorption adds a part to the open (newest) five minutes, instead
// of rewriting its sums. When later five minutes begin, the parts are merged and added to the hour, and a full hour to
// the day.
//
// Fills are frequent. They are summed as they arrive, and are in the store with their sums. Rare events, and rows that
// the store had when it was opened, are read from their tables.
//
// Equity less net deposits is everything a wallet has realized plus the gain of its positions at marks. Every event
// preserves this identity to the micro:
//
//      cash = deposits - withdrawals + realized - cost of options

/** Keys of sums without an instrument, below the ids of instruments. */
export const ProfitSource = {
  Funding: -1,
  Liquidation: -2,
  BuilderFee: -3,
  /** Money deposited or withdrawn, which is not profit. */
  Deposit: -4,
  Withdrawal: -5,
} as const
export type ProfitSource = (typeof ProfitSource)[keyof typeof ProfitSource]

const [, hourMillis, longMillis] = bucketIntervals

/** Maximum number of rows of one table that one transaction absorbs. */
const chunkRows = 16_384

/** SQL expressions that read rows of a table as entries of the sums. */
export interface EntrySource {
  readonly table: string
  readonly key: string
  readonly instrument: string
  readonly lots: string
  readonly cost: string
  readonly realized: string
  /** 1 if the row realized something. */
  readonly events: string
  /** Volume; left out: none. */
  readonly traded?: string
}

const signedLots = `case side when ${Side.Buy} then size_lots else -size_lots end`
const sourceOfCause =
  `case cause when ${AccountChange.Funding} then ${ProfitSource.Funding} ` +
  `when ${AccountChange.BuilderFee} then ${ProfitSource.BuilderFee} ` +
  `when ${AccountChange.Liquidation} then ${ProfitSource.Liquidation} ` +
  `else ${ProfitSource.Withdrawal} end`

/** Entries of fills, the most frequent kind. */
export const fillEntries: EntrySource = {
  table: 'fills',
  key: 'fill_id',
  instrument: 'instrument',
  lots: signedLots,
  cost: 'cost_micros',
  realized: 'realized_micros - fee_micros',
  events: '(realized_micros <> 0 or fee_micros <> 0)',
  traded: 'notional_micros',
}

/** Entries of the tables with an index by wallet. */
export const entrySources: readonly EntrySource[] = [
  {
    table: 'payouts',
    key: 'payout_id',
    instrument: 'instrument',
    lots: '-position_lots',
    cost: '-cost_micros',
    realized: 'value_micros - cost_micros - fee_micros',
    events: '1',
  },
  {
    table: 'moves',
    key: 'seq',
    instrument: 'instrument',
    lots: signedLots,
    cost: 'cost_micros',
    realized: 'realized_micros',
    events: '(realized_micros <> 0)',
  },
  {
    table: 'cash_changes',
    key: 'seq',
    instrument: sourceOfCause,
    lots: '0',
    cost: '0',
    realized: 'amount_micros',
    events: '1',
  },
  {
    table: 'transfers',
    key: 'seq',
    instrument: String(ProfitSource.Deposit),
    lots: '0',
    cost: '0',
    realized: 'amount_micros',
    events: '1',
  },
]

/** SQL of the progress of the sums: the last absorbed key of each table, the open five minutes, the latest part. */
export const profitsListedSql = [
  'create table if not exists profits_listed (name text primary key, last integer not null) without rowid;',
  ...[fillEntries, ...entrySources]
    .map(({ table }) => table)
    .concat('open', 'part')
    .map((name) => `insert or ignore into profits_listed values ('${name}', 0);`),
].join('\n')

/** Returns the SQL of the last absorbed key of a table. */
export function lastSummed({ table }: EntrySource): string {
  return `(${listedOf(table)})`
}

/** SQL of the last absorbed fill, as `last`. */
export const lastFillSummed = listedOf(fillEntries.table)

function listedOf(name: string): string {
  return `select last from profits_listed where name = '${name}'`
}

/** SQL of the start of the open five minutes, whose parts are not in their hour yet. */
export const openSpan = `(${listedOf('open')})`
/** SQL of the start of the open hour, which is not in its day yet. */
export const openHour = `(${openSpan} / ${hourMillis} * ${hourMillis})`

/** Number of the merged part of closed five minutes. */
const wholePart = 0

/** Returns the SQL of the columns of an entry. */
export function entryColumns(source: EntrySource): string {
  const { instrument, lots, cost, realized, events, traded = '0' } = source
  return (
    `${instrument} as about, ${lots} as lots, ${cost} as costMicros, ` +
    `${realized} as realizedMicros, ${events} as events, ${traded} as tradedMicros`
  )
}

/** Entry with its wallet and time. */
interface OwnedEntry extends SumRow {
  readonly wallet: string
  readonly millis: number
  readonly tradedMicros: number
}

/** The same, with the key of its row. */
interface Entry extends OwnedEntry {
  readonly id: number
}

/** Stored sums of one interval. */
class SumTable {
  readonly #sums
  readonly #put

  constructor(database: HistoryDatabase, { name, key }: (typeof profitSums)[number]) {
    const isOwn = key.map((column) => `${sqlName(column)} = ?`).join(' and ')
    this.#sums = database.prepare(`select sums from ${name} where ${isOwn}`)
    const places = key.map(() => '?').join(', ')
    this.#put = database.prepare(`insert or replace into ${name} values (${places}, ?)`)
  }

  put(key: SumKey, sums: WalletSums): void {
    this.#put.run(...key, packSums(null, sums))
  }

  add(key: SumKey, sums: WalletSums): void {
    const known = this.#sums.get(...key) as PackedRow | undefined
    this.#put.run(...key, packSums(known?.sums ?? null, sums))
  }
}

/** Values of the key of a table of sums. */
type SumKey = readonly (string | number)[]

/** Stored sums, to which others are added. */
export class SumRows {
  readonly #spans: SumTable
  readonly #hours: SumTable
  readonly #days: SumTable
  readonly #spanOf
  readonly #dropSpan
  readonly #hourOf
  readonly #progressOf
  readonly #putProgress

  constructor(database: HistoryDatabase) {
    this.#spans = new SumTable(database, profitSpans)
    this.#hours = new SumTable(database, profitHours)
    this.#days = new SumTable(database, profitDays)
    this.#spanOf = database.prepare(
      'select wallet, sums from profit_spans where start_millis = ? order by wallet, part',
    )
    this.#dropSpan = database.prepare('delete from profit_spans where start_millis = ?')
    this.#hourOf = database.prepare('select wallet, sums from profit_hours where start_millis = ?')
    this.#progressOf = database.prepare(`select ${openSpan} as open, (${listedOf('part')}) as part`)
    this.#putProgress = database.prepare(
      "insert or replace into profits_listed values ('open', ?), ('part', ?)",
    )
  }

  /** Adds the gathered sums, and clears them. */
  spread(gathered: GatheredSums): void {
    if (gathered.spans.size === 0) return
    const { open, part } = this.#progressOf.get() as {
      readonly open: number
      readonly part: number
    }
    const newest = Math.max(open, ...gathered.spans.keys())
    const hours = new GatheredSums(hourMillis)
    if (newest > open) this.#close(open, hours)
    for (const [start, wallets] of [...gathered.spans].sort(([one], [other]) => one - other)) {
      if (start === newest) this.#putPart(start, wallets, part + 1)
      else this.#addToClosed(start, wallets, hours)
    }
    this.#addToHours(
      hours,
      bucketStartMillis(open, hourMillis),
      bucketStartMillis(newest, hourMillis),
    )
    this.#putProgress.run(newest, part + 1)
    gathered.spans.clear()
  }

  addToDay(start: number, wallet: string, sums: WalletSums): void {
    this.#days.add([wallet, start], sums)
  }

  #putPart(start: number, wallets: SumsByWallet, part: number): void {
    for (const [wallet, sums] of sorted(wallets)) this.#spans.put([start, wallet, part], sums)
  }

  #addToClosed(start: number, wallets: SumsByWallet, hours: GatheredSums): void {
    for (const [wallet, sums] of sorted(wallets)) {
      this.#spans.add([start, wallet, wholePart], sums)
      hours.addAll(start, wallet, sums)
    }
  }

  /** Merges the parts of five minutes, and adds them to the hour. */
  #close(start: number, hours: GatheredSums): void {
    const whole: SumsByWallet = new Map()
    for (const { wallet, sums } of this.#spanOf.all(start) as (PackedRow & Owned)[]) {
      addPacked(sumsOfWallet(whole, wallet), sums)
      addPacked(hours.sumsOf(start, wallet), sums)
    }
    this.#dropSpan.run(start)
    this.#putPart(start, whole, wholePart)
  }

  /** Adds sums to their hours, and ended hours to their days. @param before hour that was open until now. */
  #addToHours(hours: GatheredSums, before: number, open: number): void {
    const days = new GatheredSums(longMillis)
    if (open > before) {
      for (const { wallet, sums } of this.#hourOf.all(before) as (PackedRow & Owned)[]) {
        addPacked(days.sumsOf(before, wallet), sums)
      }
    }
    for (const [start, wallets] of hours.spans) {
      for (const [wallet, sums] of sorted(wallets)) {
        this.#hours.add([start, wallet], sums)
        if (start < open) days.addAll(start, wallet, sums)
      }
    }
    for (const [start, wallets] of days.spans) {
      for (const [wallet, sums] of sorted(wallets)) this.addToDay(start, wallet, sums)
    }
  }
}

/** Returns the wallets in the order of the keys, so that writes are adjacent. */
function sorted(wallets: SumsByWallet): (readonly [string, WalletSums])[] {
  return [...wallets].sort(([one], [other]) => (one < other ? -1 : 1))
}

interface Owned {
  readonly wallet: string
}

interface PackedRow {
  readonly sums: PackedSums
}

/** Subtracts rows that are about to be removed. @param above highest key that stays, by table. */
export function dropSummed(
  database: HistoryDatabase,
  above: Readonly<Record<string, number>>,
): void {
  const rows = new SumRows(database)
  const gathered = new GatheredSums()
  let count = 0
  const volumes = new VolumeSums(database)
  const subtract = ({ millis, wallet, tradedMicros, ...entry }: OwnedEntry) => {
    gathered.add(millis, wallet, negated(entry))
    if (tradedMicros !== 0) volumes.add(wallet, tradedMicros)
    // Bounds the memory of the gathered sums.
    if (++count % chunkRows === 0) rows.spread(gathered)
  }
  for (const source of [fillEntries, ...entrySources]) {
    const { table, key } = source
    const last = above[table]!
    const lost = database.prepare(
      `select wallet, millis, ${entryColumns(source)} from ${table} ` +
        `where ${key} > ? and ${key} <= ${lastSummed(source)}`,
    )
    for (const entry of lost.iterate(last) as Iterable<OwnedEntry>) subtract(entry)
    database.exec(`update profits_listed set last = min(last, ${last}) where name = '${table}'`)
  }
  rows.spread(gathered)
  volumes.subtract()
  for (const { name } of profitSums) database.exec(`delete from ${name} where length(sums) = 0`)
}

/** Adds rows to the sums. Used by the writer of the store, within its transactions. */
export class ProfitWriter {
  readonly #tables
  readonly #rows: SumRows
  readonly #fillProgress
  /** Sums of fills since the store was opened. */
  readonly #live: FillSums
  /** Volumes of the fills before. */
  readonly #volumes: VolumeSums
  /** The last fill in the store when it was opened. */
  readonly #fillBefore: number

  constructor(database: HistoryDatabase) {
    this.#rows = new SumRows(database)
    this.#fillBefore = highestId(selecting(database), fills)
    this.#tables = [fillEntries, ...entrySources].map((source) => {
      const { table, key } = source
      return {
        end: source === fillEntries ? this.#fillBefore : Number.MAX_SAFE_INTEGER,
        last: database.prepare(`select last from profits_listed where name = '${table}'`),
        next: database.prepare(
          `select ${key} as id, wallet, millis, ${entryColumns(source)} from ${table} ` +
            `where ${key} > ? and ${key} <= ? order by ${key} limit ${chunkRows}`,
        ),
        progress: database.prepare(`update profits_listed set last = ? where name = '${table}'`),
      }
    })
    this.#live = new FillSums(database)
    this.#volumes = new VolumeSums(database)
    this.#fillProgress = database.prepare("update profits_listed set last = ? where name = 'fills'")
  }

  /** Adds a fill that the store did not have when it was opened. Call it once per fill. */
  takeFill(log: RecordViews, at: number): void {
    this.#live.take(log, at)
  }

  /** Absorbs a chunk of each table. @returns true if no rows are left. */
  absorb(): boolean {
    const gathered = new GatheredSums()
    let isWhole = true
    for (const { last, next, end, progress } of this.#tables) {
      const { last: after } = last.get() as { readonly last: number }
      const entries = next.all(after, end) as Entry[]
      for (const entry of entries) {
        gathered.add(entry.millis, entry.wallet, entry)
        if (entry.tradedMicros !== 0) this.#volumes.add(entry.wallet, entry.tradedMicros)
      }
      if (entries.length > 0) progress.run(entries.at(-1)!.id)
      if (entries.length === chunkRows) isWhole = false
    }
    this.#rows.spread(gathered)
    this.#volumes.flush()
    // Earlier fills are read from the table; later ones were summed as they arrived.
    if (isWhole && this.#live.lastId > this.#fillBefore) {
      this.#fillProgress.run(this.#live.lastId)
      this.#live.flush(this.#rows)
    }
    return isWhole
  }
}
