import { existsSync } from 'node:fs'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { hourMillis, hourOf, type TradeSeed, tradeSeedNone } from '../views/trade-statistics.js'
import { historyPath, openHistory, progressOf } from './history-schema.js'
import { trades } from './history-tables.js'
import { firstIdSince, selecting } from './stored-rows.js'
import { underlyingOfRow } from './theo-intervals.js'

const hoursBack = 24

// SQLite takes the other columns from the row of the minimum.
const theosQuery = `
select instrument, min(start_millis) as startMillis, price_micros as priceMicros from theos
where interval_millis = ${theoIntervalMillis['5m']} and start_millis >= ?
group by instrument, start_millis / ${hourMillis}`

const hoursQuery = `
select instrument, hour, volumeLots, notionalMicros, highMicros, lowMicros,
  price_micros as openMicros
from (
  select instrument, millis / ${hourMillis} as hour, sum(size_lots) as volumeLots,
    sum(notional_micros) as notionalMicros, max(price_micros) as highMicros,
    min(price_micros) as lowMicros, min(trade_id) as firstId
  from trades where trade_id >= ? group by 1, 2
) join trades using (instrument) where trade_id = firstId order by hour`

// SQLite takes the price from the row of the maximum.
const lastsQuery = `
select instrument, lastMicros from (
  select instrument, max(trade_id), price_micros as lastMicros from (
    select * from last_trades union all
    select instrument, trade_id, price_micros from trades where trade_id >
      (select coalesce(max(last_id), 0) from list_runs where table_name = 'trades')
  ) group by instrument
)`

/**
 * Reads the last day of trades, before the history thread starts to write.
 * @returns an empty seed if there is no store yet.
 */
export function readTradeSeed(dataDir: string, nowMillis: number): TradeSeed {
  if (!existsSync(historyPath(dataDir))) return tradeSeedNone
  const database = openHistory(dataDir)
  try {
    const firstMillis = (hourOf(nowMillis) - hoursBack) * hourMillis
    const firstId = firstIdSince(selecting(database), trades, firstMillis)
    const theos = database.prepare(theosQuery).all(firstMillis) as TradeSeed['theos']
    return {
      seq: progressOf(database).seq,
      hours: database.prepare(hoursQuery).all(firstId) as TradeSeed['hours'],
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
