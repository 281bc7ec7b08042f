import type Database from 'libsql'
import { premiumMicros } from '../../../engine/risk/money.js'
import { Side } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { theoIntervalMillis } from '../../wire/parameters.js'
import type { HistoryDatabase } from './history-schema.js'

// What a wallet has earned is summed up once, when its rows are taken up, many at a time; a question adds the few rows
// behind the last one that was taken up, as lists do.
//
//      fills, payouts, moves, cash, deposits            +--> profits         wallet, day, instrument
//      +------------- ... ------------+---------+       |
//      | taken up                     | not yet |  -----+--> profit_buckets  5 minutes, wallet, instrument
//      +------------- ... ------------+---------+
//                        `profits_listed.last` ^
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

/** Spans of time that sums are kept of. */
export const bucketIntervals = [theoIntervalMillis['5m'], theoIntervalMillis['1d']] as const
const [shortMillis, longMillis] = bucketIntervals

/** Rows of one table that are taken up in one transaction. */
const chunkRows = 65_536

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
}

const signedLots = `case side when ${Side.Buy} then size_lots else -size_lots end`
const sourceOfCause =
  `case cause when ${AccountChange.Funding} then ${ProfitSource.Funding} ` +
  `when ${AccountChange.BuilderFee} then ${ProfitSource.BuilderFee} ` +
  `when ${AccountChange.Liquidation} then ${ProfitSource.Liquidation} ` +
  `else ${ProfitSource.Withdrawal} end`

const fillEntries: EntrySource = {
  table: 'fills',
  key: 'fill_id',
  instrument: 'instrument',
  lots: signedLots,
  cost: 'cost_micros',
  realized: 'realized_micros - fee_micros',
  events: '(realized_micros <> 0 or fee_micros <> 0)',
}

export const entrySources: readonly EntrySource[] = [
  fillEntries,
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

/** How far the sums of each table have come. */
export const profitsListedSql = [
  'create table if not exists profits_listed (name text primary key, last integer not null) without rowid;',
  ...entrySources.map(
    ({ table }) => `insert or ignore into profits_listed values ('${table}', 0);`,
  ),
].join('\n')

/** SQL of the last row of a table that is in the sums. */
export function lastSummed({ table }: EntrySource): string {
  return `(select last from profits_listed where name = '${table}')`
}

const sumColumns = ['lots', 'cost_micros', 'realized_micros', 'events'] as const

/** SQL of the four sums over entries, in the order of the columns. */
export function sumsOf({ lots, cost, realized, events }: EntrySource): readonly string[] {
  return [`sum(${lots})`, `sum(${cost})`, `sum(${realized})`, `sum(${events})`]
}

const totals = sumColumns.map((name) => `sum(${name})`).join(', ')
const added = sumColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')

/** Sums of rows by five minutes, on their way into those that stay. */
const freshSql =
  `create temp table if not exists fresh_sums (start_millis, wallet, instrument, ${sumColumns.join(', ')}, ` +
  'primary key (start_millis, wallet, instrument)) without rowid'

/** @param sign of what the rows change of the sums. */
function gatherSql(source: EntrySource, which: string, sign: '' | '-'): string {
  const { table, instrument } = source
  const sums = sumsOf(source).map((sum) => sign + sum)
  const groups = 'start, wallet, about'
  return (
    `insert into fresh_sums select millis - millis % ${shortMillis} as start, wallet, ${instrument} as about, ` +
    `${sums.join(', ')} from ${table} where ${which} group by ${groups} order by ${groups} ` +
    `on conflict do update set ${added}`
  )
}

/** Adds what is on its way to the sums. */
const spreadSql = [
  `insert into profit_buckets select * from fresh_sums where true on conflict do update set ${added}`,
  'insert into profits ' +
    `select wallet, start_millis - start_millis % ${longMillis}, instrument, ` +
    `${totals} from fresh_sums group by 1, 2, 3 order by 1, 2, 3 ` +
    `on conflict do update set ${added}`,
  'delete from fresh_sums',
].join(';\n')

/** SQL that adds sums of days to those of all before. @param which days. */
export function foldDaysSql(which: string): string {
  return (
    `insert into profits select wallet, 0, instrument, ${totals} from profits where ${which} ` +
    `group by wallet, instrument on conflict do update set ${added}`
  )
}

/** Rows behind a key are about to go: the sums lose what they have of them. @param above by table. */
export function dropSummed(
  database: HistoryDatabase,
  above: Readonly<Record<string, number>>,
): void {
  database.exec(freshSql)
  for (const source of entrySources) {
    const { table, key } = source
    const last = above[table]!
    database.exec(gatherSql(source, `${key} > ${last} and ${key} <= ${lastSummed(source)}`, '-'))
    database.exec(`update profits_listed set last = min(last, ${last}) where name = '${table}'`)
  }
  database.exec(spreadSql)
}

/** Adds rows to the sums, for the store's writer and within its transactions. */
export class ProfitKeeper {
  readonly #database: Database.Database
  readonly #tables
  readonly #unpriced
  readonly #price

  constructor(database: Database.Database) {
    this.#database = database
    database.exec(freshSql)
    this.#tables = entrySources.map((source) => {
      const { table, key } = source
      return {
        source,
        last: database.prepare(`select last from profits_listed where name = '${table}'`),
        next: database.prepare(
          `select max(id) as id, count(*) as rows from (select ${key} as id from ${table} ` +
            `where ${key} > ? order by ${key} limit ${chunkRows})`,
        ),
        gather: database.prepare(gatherSql(source, `${key} > ? and ${key} <= ?`, '')),
        progress: database.prepare(`update profits_listed set last = ? where name = '${table}'`),
      }
    })
    this.#unpriced = database.prepare(
      'select fill_id as id, side, price_micros as price, size_lots as lots, realized_micros as realized ' +
        'from fills where fill_id > ? and fill_id <= ? and cost_micros is null',
    )
    this.#price = database.prepare('update fills set cost_micros = ? where fill_id = ?')
  }

  /** Takes up a chunk of each table. @returns whether there is no more. */
  takeUp(): boolean {
    let isWhole = true
    for (const { source, last, next, gather, progress } of this.#tables) {
      const { last: after } = last.get() as { readonly last: number }
      const found = next.get(after) as { readonly id: number | null; readonly rows: number }
      if (found.id === null) continue
      if (source === fillEntries) this.#priceOld(after, found.id)
      gather.run(after, found.id)
      progress.run(found.id)
      if (found.rows === chunkRows) isWhole = false
    }
    this.#database.exec(spreadSql)
    return isWhole
  }

  /** Rows of a store from before fills said what they change of the cost. */
  #priceOld(after: number, last: number): void {
    for (const row of this.#unpriced.all(after, last) as UnpricedFill[]) {
      const premium = premiumMicros(row.price, row.lots)
      this.#price.run(row.realized + (row.side === Side.Buy ? premium : -premium), row.id)
    }
  }
}

interface UnpricedFill {
  readonly id: number
  readonly side: number
  readonly price: number
  readonly lots: number
  readonly realized: number
}
