import { existsSync } from 'node:fs'
import { theoIntervalMillis } from '../../wire/parameters.js'
import { hourMillis, hourOf, type TradeSeed, tradeSeedNone } from '../views/trade-statistics.js'
import { historyPath, openHistory, progressOf } from './history-schema.js'
import { underlyingOfRow } from './theo-intervals.js'

const hoursBack = 24

const hoursQuery = `
select h.*, t.price_micros as openMicros from (
  select instrument, millis / ${hourMillis} as hour, total(size_lots) as volumeLots,
    total(notional_micros) as notionalMicros, max(price_micros) as highMicros,
    min(price_micros) as lowMicros, min(trade_id) as firstTradeId
  from trades where millis >= ? group by 1, 2
) h join trades t on t.trade_id = h.firstTradeId order by h.hour`
const lastsQuery = `
select instrument, lastMicros from (
  select i.instrument_id as instrument, (
    select price_micros from trades t where t.instrument = i.instrument_id
    order by t.trade_id desc limit 1
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
      hours: database.prepare(hoursQuery).all(firstMillis) as TradeSeed['hours'],
      lasts: database.prepare(lastsQuery).all() as TradeSeed['lasts'],
      theos: theos.filter(({ instrument }) => instrument >= 0),
      indexes: theos
        .filter(({ instrument }) => instrument < 0)
        .map(({ instrument, ...price }) => ({ underlying: underlyingOfRow(instrument), ...price })),
    }
  } finally {
    database.close()
  }
}
