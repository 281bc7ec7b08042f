import { Side } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { FillSums } from './fill-sums.js'
import { GatheredSums, type SumsByWallet, sumsOfWallet } from './gathered-sums.js'
import type { HistoryDatabase } from './history-schema.js'
import { fills } from './history-tables.js'
import { bucketIntervals, profitDays, profitSpans } from './profit-tables.js'
import { highestId, selecting } from './stored-rows.js'
import { VolumeSums } from './volume-sums.js'
import {
  addPacked,
  negated,
  type PackedSums,
  packSums,
  rowsOf,
  type SumRow,
  type WalletSums,
} from './wallet-sums.js'

// What a wallet has earned is summed up once, when its rows are taken up, many at a time; a question adds the few rows
// behind the last one that was taken up, as lists do.
//
//      fills, payouts, moves, cash, deposits            +--> profit_days   wallet, day: sums by instrument
//      +------------- ... ------------+---------+       |
//      | absorbed                     | not yet |  -----+--> profit_spans  5 minutes, wallet: sums by instrument
//      +------------- ... ------------+---------+
//                        `profits_listed.last` ^
//
// A wallet may trade in hundreds of instruments: what is taken up of the five minutes that are open, the newest, is written
// beside what there is of them, as a further part. Once later ones have come, the parts become one and are added to the day.
//
// Fills, which come with every order, are added up as they come, and are in the store with their sums. What a store holds
// when it is opened, and what comes seldom, is read from its rows.
//
// Equity less net deposits is what all of a wallet's sums have realized, and what their positions gain at marks:
//
//      cash = deposits - withdrawals + realized - cost of options         every event keeps that, micro by micro

/** Sums that are about no instrument; ids of instruments begin at 0. */
export const ProfitSource = {
  Funding: -1,
  Liquidation: -2,
  BuilderFee: -3,
  /** No profit, but what was brought and taken away. */
  Deposit: -4,
  Withdrawal: -5,
} as const
export type ProfitSource = (typeof ProfitSource)[keyof typeof ProfitSource]

const [, longMillis] = bucketIntervals

/** Rows of one table that are read for the sums in one transaction. */
const chunkRows = 16_384

/** Rows of a table as entries of the sums. */
export interface EntrySource {
  readonly table: string
  readonly key: string
  readonly instrument: string
  readonly lots: string
  readonly cost: string
  readonly realized: string
  /** 1 where something was realized. */
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

/** Rows of the tables that have an index by wallet. */
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

/** How far the sums of each table have come; which five minutes are open, and the number of the latest part of any. */
export const profitsListedSql = [
  'create table if not exists profits_listed (name text primary key, last integer not null) without rowid;',
  ...[fillEntries, ...entrySources]
    .map(({ table }) => table)
    .concat('open', 'part')
    .map((name) => `insert or ignore into profits_listed values ('${name}', 0);`),
].join('\n')

/** SQL of the last row of a table that is in the sums. */
export function lastSummed({ table }: EntrySource): string {
  return `(${listedOf(table)})`
}

/** SQL of the last fill that is in them, as `last`. */
export const lastFillSummed = listedOf(fillEntries.table)

function listedOf(name: string): string {
  return `select last from profits_listed where name = '${name}'`
}

/** SQL of the start of the five minutes whose parts are not in their day yet. */
export const openSpan = `(${listedOf('open')})`

/** The part that is all of five minutes which later ones have followed. */
const wholePart = 0

/** SQL of what each row of a table is an entry of. */
export function entryColumns(source: EntrySource): string {
  const { instrument, lots, cost, realized, events, traded = '0' } = source
  return (
    `${instrument} as about, ${lots} as lots, ${cost} as costMicros, ` +
    `${realized} as realizedMicros, ${events} as events, ${traded} as tradedMicros`
  )
}

/** An entry of a table's row, with whose and when it is. */
interface OwnedEntry extends SumRow {
  readonly wallet: string
  readonly millis: number
  readonly tradedMicros: number
}

/** The same with its row's key. */
interface Entry extends OwnedEntry {
  readonly id: number
}

/** Rows of sums that others are added to. */
export class SumRows {
  readonly #span
  readonly #putSpan
  readonly #spanOf
  readonly #dropSpan
  readonly #day
  readonly #putDay
  readonly #places
  readonly #moved

  constructor(database: HistoryDatabase) {
    this.#span = database.prepare(
      `select sums from profit_spans where start_millis = ? and wallet = ? and part = ${wholePart}`,
    )
    this.#putSpan = database.prepare('insert or replace into profit_spans values (?, ?, ?, ?)')
    this.#spanOf = database.prepare(
      'select wallet, sums from profit_spans where start_millis = ? order by wallet, part',
    )
    this.#dropSpan = database.prepare('delete from profit_spans where start_millis = ?')
    this.#day = database.prepare(
      'select sums from profit_days where wallet = ? and start_millis = ?',
    )
    this.#putDay = database.prepare('insert or replace into profit_days values (?, ?, ?)')
    this.#places = database.prepare(`select ${openSpan} as open, (${listedOf('part')}) as part`)
    this.#moved = database.prepare(
      "insert or replace into profits_listed values ('open', ?), ('part', ?)",
    )
  }

  /** Adds what was gathered. */
  spread(gathered: GatheredSums): void {
    if (gathered.spans.size === 0) return
    const { open, part } = this.#places.get() as { readonly open: number; readonly part: number }
    const newest = Math.max(open, ...gathered.spans.keys())
    const days = new GatheredSums(longMillis)
    if (newest > open) this.#close(open, days)
    for (const [start, wallets] of [...gathered.spans].sort(([one], [other]) => one - other)) {
      if (start === newest) this.#putPart(start, wallets, part + 1)
      else this.#addToClosed(start, wallets, days)
    }
    for (const [start, wallets] of days.spans) this.#addToDays(start, wallets)
    this.#moved.run(newest, part + 1)
    gathered.spans.clear()
  }

  addToSpan(start: number, wallet: string, sums: WalletSums): void {
    const known = this.#span.get(start, wallet) as PackedRow | undefined
    this.#putSpan.run(start, wallet, wholePart, packSums(known?.sums ?? null, sums))
  }

  addToDay(start: number, wallet: string, sums: WalletSums): void {
    const known = this.#day.get(wallet, start) as PackedRow | undefined
    this.#putDay.run(wallet, start, packSums(known?.sums ?? null, sums))
  }

  #putPart(start: number, wallets: SumsByWallet, part: number): void {
    for (const wallet of [...wallets.keys()].sort()) {
      this.#putSpan.run(start, wallet, part, packSums(null, wallets.get(wallet)!))
    }
  }

  #addToClosed(start: number, wallets: SumsByWallet, days: GatheredSums): void {
    for (const wallet of [...wallets.keys()].sort()) {
      const sums = wallets.get(wallet)!
      this.addToSpan(start, wallet, sums)
      for (const row of rowsOf(sums)) days.add(start, wallet, row)
    }
  }

  /** Its parts become one, and go to the day. */
  #close(start: number, days: GatheredSums): void {
    const whole: SumsByWallet = new Map()
    for (const { wallet, sums } of this.#spanOf.all(start) as (PackedRow & Owned)[]) {
      addPacked(sumsOfWallet(whole, wallet), sums)
      addPacked(days.sumsOf(start, wallet), sums)
    }
    this.#dropSpan.run(start)
    this.#putPart(start, whole, wholePart)
  }

  #addToDays(start: number, wallets: SumsByWallet): void {
    for (const wallet of [...wallets.keys()].sort()) {
      this.addToDay(start, wallet, wallets.get(wallet)!)
    }
  }
}

interface Owned {
  readonly wallet: string
}

interface PackedRow {
  readonly sums: PackedSums
}

/** Rows behind a key are about to go: the sums lose what they have of them. @param above by table. */
export function dropSummed(
  database: HistoryDatabase,
  above: Readonly<Record<string, number>>,
): void {
  const rows = new SumRows(database)
  const gathered = new GatheredSums()
  let count = 0
  const volumes = new VolumeSums(database)
  const lose = ({ millis, wallet, tradedMicros, ...entry }: OwnedEntry) => {
    gathered.add(millis, wallet, negated(entry))
    if (tradedMicros !== 0) volumes.add(wallet, tradedMicros)
    // However much was lost: what is gathered stays small.
    if (++count % chunkRows === 0) rows.spread(gathered)
  }
  for (const source of [fillEntries, ...entrySources]) {
    const { table, key } = source
    const last = above[table]!
    const lost = database.prepare(
      `select wallet, millis, ${entryColumns(source)} from ${table} ` +
        `where ${key} > ? and ${key} <= ${lastSummed(source)}`,
    )
    for (const entry of lost.iterate(last) as Iterable<OwnedEntry>) lose(entry)
    database.exec(`update profits_listed set last = min(last, ${last}) where name = '${table}'`)
  }
  rows.spread(gathered)
  volumes.takeAway()
  for (const { name } of [profitDays, profitSpans])
    database.exec(`delete from ${name} where length(sums) = 0`)
}

/** Adds rows to the sums, for the store's writer and within its transactions. */
export class ProfitKeeper {
  readonly #tables
  readonly #rows: SumRows
  readonly #fillProgress
  /** Of fills since the store was opened. */
  readonly #live: FillSums
  /** Of those that it had then. */
  readonly #volumes: VolumeSums
  /** The last fill that was in the store then. */
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

  /** Takes a fill that the store did not have when it was opened; it must be told once. */
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
