import { existsSync } from 'node:fs'
import { theoIntervalMillis } from '../../wire/parameters.js'
import { hourMillis, hourOf, type TradeSeed, tradeSeedNone } from '../views/trade-statistics.js'
import { firstIdSince } from './first-id.js'
import { type HistoryDatabase, historyPath, openHistory, progressOf } from './history-schema.js'
import { underlyingOfRow } from './theo-intervals.js'

const hoursBack = 24

const hoursQuery = `
select h.*, t.price_micros as openMicros from (
  select instrument, millis / ${hourMillis} as hour, total(size_lots) as volumeLots,
    total(notional_micros) as notionalMicros, max(price_micros) as highMicros,
    min(price_micros) as lowMicros, min(trade_id) as firstTradeId
  from trades where trade_id >= ? group by 1, 2
) h join trades t on t.trade_id = h.firstTradeId order by h.hour`
// Of what no list has yet, and of what they have: SQLite takes the column beside `max` from its row.
const newestQuery = `
select instrument, max(trade_id), price_micros as lastMicros from trades
where trade_id > (select last from listed where name = 'trades') group by instrument`
const lastsQuery = `
select instrument, lastMicros from (
  select i.instrument_id as instrument, (
    select t.price_micros from trades_by_instrument l join trades t on t.trade_id = l.trade_id
    where l.instrument = i.instrument_id order by l.trade_id desc limit 1
  ) as lastMicros from instruments i
) where lastMicros is not null`

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
      hours: database
        .prepare(hoursQuery)
        .all(firstIdSince(database, 'trades', firstMillis)) as TradeSeed['hours'],
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

type Lasts = TradeSeed['lasts']

function lastsOf(database: HistoryDatabase): Lasts {
  const listed = database.prepare(lastsQuery).all() as Lasts
  const newest = database.prepare(newestQuery).all() as Lasts
  const byInstrument = new Map([...listed, ...newest].map((last) => [last.instrument, last]))
  return [...byInstrument.values()].map(({ instrument, lastMicros }) => ({
    instrument,
    lastMicros,
  }))
}
