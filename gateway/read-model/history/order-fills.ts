import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { rowAnswer } from '../../wire/answers.js'
import { routeBy } from '../../wire/route.js'
import { fills } from './history-tables.js'
import {
  type HistoryRoute,
  type HistorySource,
  query,
  shown,
  type WithInstrument,
} from './select.js'
import { firstIdSince } from './stored-rows.js'

const orderFillQuery = query(fills, ['underlying'], fillOf)

/**
 * Answers with the fills of an order as taker, all from the command that placed it. `time` is the time of that command,
 * and narrows the search.
 */
export const orderFillsRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (read) => [read.requiredText('order_id'), read.requiredText('time')].map(Number),
  ([orderId = 0, millis = 0], source: HistorySource) => {
    const { seq, select } = source
    const conditions = [
      ['fills.fill_id >= ?', firstIdSince(select, fills, millis)],
      ['fills.fill_id < ?', firstIdSince(select, fills, millis + 1)],
      ['fills.order_id = ? and fills.is_taker = 1', orderId],
    ] as const
    const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
    return rowAnswer(shown(source, orderFillQuery, conditions, all).reverse(), seq)
  },
)

function fillOf(fill: WithInstrument<typeof fills, 'underlying'>) {
  return {
    coin: fill.underlying,
    side: sideNames[fill.side as 0 | 1],
    size: formatLots(fill.sizeLots),
    price: formatMicros(fill.priceMicros),
    time: fill.millis,
  }
}
