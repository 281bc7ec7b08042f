import { existsSync } from 'node:fs'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { hourMillis, hourOf, type TradeSeed, tradeSeedNone } from '../views/trade-statistics.js'
import { firstIdSince } from './first-id.js'
import { type HistoryDatabase, historyPath, openHistory, progressOf } from './history-schema.js'
import { trades } from './history-tables.js'
import { lastIdsByPart, listedOf } from './id-sources.js'
import { NumberField } from './packed-rows.js'
import { cursorsBetween, rowsBetween, rowsOfIds, selecting } from './row-blocks.js'
import { underlyingOfRow } from './theo-intervals.js'

const hoursBack = 24

// SQLite takes the column beside `min` from its row.
const theosQuery = `
select instrument, min(start_millis) as startMillis, price_micros as priceMicros from theos
where interval_millis = ${theoIntervalMillis['5m']} and start_millis >= ?
group by instrument, start_millis / ${hourMillis}`

/**
 * Reads the last day of trades, before the history thread starts to write.
 * @returns an empty seed when there is no store yet.
 */
export function readTradeSeed(dataDir: string, nowMillis: number): TradeSeed {
  if (!existsSync(historyPath(dataDir))) return tradeSeedNone
  const database = openHistory(dataDir)
  try {
    const firstMillis = (hourOf(nowMillis) - hoursBack) * hourMillis
    const theos = database.prepare(theosQuery).all(firstMillis) as TradeSeed['theos']
    return {
      seq: progressOf(database).seq,
      hours: hoursOf(database, firstIdSince(database, trades, firstMillis)),
      lasts: lastsOf(database),
      theos: theos.filter(({ instrument }) => instrument >= 0),
      indexes: theos
        .filter(({ instrument }) => instrument < 0)
        .map(({ instrument, ...price }) => ({ underlying: underlyingOfRow(instrument), ...price })),
    }
  } finally {
    database.close()
  }
}

type Hour = Writable<TradeSeed['hours'][number]>
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Trades from an id on, by hour and instrument, in the order of the hours. */
function hoursOf(database: HistoryDatabase, fromId: number): TradeSeed['hours'] {
  const hours = new Map<string, Hour>()
  const rows = rowsBetween(selecting(database), trades, fromId, Number.MAX_SAFE_INTEGER)
  for (const { instrument, millis, priceMicros, sizeLots, notionalMicros } of rows) {
    const hour = Math.floor(millis / hourMillis)
    const key = `${hour} ${instrument}`
    let sum = hours.get(key)
    if (sum === undefined) {
      sum = {
        ...{ instrument, hour, volumeLots: 0, notionalMicros: 0, openMicros: priceMicros },
        ...{ highMicros: priceMicros, lowMicros: priceMicros },
      }
      hours.set(key, sum)
    }
    sum.volumeLots += sizeLots
    sum.notionalMicros += notionalMicros
    sum.highMicros = Math.max(sum.highMicros, priceMicros)
    sum.lowMicros = Math.min(sum.lowMicros, priceMicros)
  }
  return [...hours.values()].sort((one, other) => one.hour - other.hour)
}

/** Of trades that the list has, and of those behind. */
function lastsOf(database: HistoryDatabase): TradeSeed['lasts'] {
  const select = selecting(database)
  const ids = new Map(lastIdsByPart(select, trades))
  const pending = listedOf(select, trades).last + 1
  const instrument = new NumberField(trades, 'instrument')
  for (const { bytes, at, id } of cursorsBetween(
    select,
    trades,
    pending,
    Number.MAX_SAFE_INTEGER,
  )) {
    ids.set(instrument.read(bytes, at), id)
  }
  return rowsOfIds(select, trades, [...ids.values()]).map((trade) => ({
    instrument: trade.instrument,
    lastMicros: trade.priceMicros,
  }))
}
