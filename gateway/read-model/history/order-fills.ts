import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Envelope, rowAnswer } from '../../wire/answers.js'
import { routeBy } from '../../wire/route.js'
import { firstIdBy } from './first-id.js'
import { fills } from './history-tables.js'
import { type HistoryRoute, query, type WithInstrument } from './select.js'

const { columns, from } = query(fills, ['underlying'], fillOf)

const sql =
  `select ${columns} from ${from} where fills.fill_id >= ? and fills.millis = ? and fills.order_id = ? ` +
  'and fills.is_taker = 1 and fills.fill_id < ? order by fills.fill_id'

/**
 * What an order traded in the step that placed it: it was the taker then, and never again. `time` is that of the step, by
 * which its fills are found among all.
 */
export const orderFillsRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (read) => [read.requiredText('order_id'), read.requiredText('time')].map(Number),
  ([orderId = 0, millis = 0], { seq, select }) => {
    const first = firstIdBy(select, 'fills', millis)
    const end = firstIdBy(select, 'fills', millis + 1)
    const rows = select<WithInstrument<typeof fills, 'underlying'>>(sql, [
      ...[first, millis, orderId, end],
    ])
    return rowAnswer(rows.map(fillOf), seq)
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
