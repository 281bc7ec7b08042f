import type { HistoryDatabase } from './history-schema.js'
import { SumRows } from './profit-sums.js'
import { add, type SumRow, type WalletSums } from './wallet-sums.js'

// A store of before wallets' sums were one row each has a row for each instrument.

/** Rows that are read at once. */
const chunkRows = 16_384

interface OldRow extends SumRow {
  readonly wallet: string
  readonly start: number
}

/** Where a chunk ends: the values of the key. */
type Place = readonly [wallet: string, start: number, about: number]

/** Packs the sums of such a store, in one transaction; one that has none stays as it is. */
export function packOldSums(database: HistoryDatabase): void {
  const old = database
    .prepare("select name from sqlite_schema where name in ('profits', 'profit_buckets')")
    .all() as { readonly name: string }[]
  if (old.length === 0) return
  database.exec('begin immediate')
  try {
    const rows = new SumRows(database)
    packAll(database, 'profits', ({ wallet, start }, sums) => rows.addToDay(start, wallet, sums))
    packAll(database, 'profit_buckets', ({ wallet, start }, sums) =>
      rows.addToSpan(start, wallet, sums),
    )
    rows.closeAll()
    database.exec('drop table profits; drop table profit_buckets; commit')
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

/** @param put takes the sums of one wallet and start, or a part of them. */
function packAll(
  database: HistoryDatabase,
  table: string,
  put: (of: OldRow, sums: WalletSums) => void,
): void {
  const key = table === 'profits' ? keyOfDays : keyOfSpans
  const select = database.prepare(
    'select wallet, start_millis as start, instrument as about, lots, cost_micros as costMicros, ' +
      `realized_micros as realizedMicros, events from ${table} ` +
      `where (${key.columns}) > (?, ?, ?) order by ${key.columns} limit ${chunkRows}`,
  )
  let place: readonly (string | number)[] = key.of(['', beforeAll, beforeAll])
  for (;;) {
    const rows = select.all(...place) as OldRow[]
    for (let first = 0; first < rows.length; ) {
      const sums: WalletSums = new Map()
      const of = rows[first]!
      for (; first < rows.length && isSame(rows[first]!, of); first++) add(sums, rows[first]!)
      put(of, sums)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    place = key.of([last.wallet, last.start, last.about])
  }
}

const beforeAll = Number.MIN_SAFE_INTEGER
const keyOfDays = { columns: 'wallet, start_millis, instrument', of: (place: Place) => place }
const keyOfSpans = {
  columns: 'start_millis, wallet, instrument',
  of: ([wallet, start, about]: Place) => [start, wallet, about],
}

function isSame(one: OldRow, other: OldRow): boolean {
  return one.wallet === other.wallet && one.start === other.start
}
