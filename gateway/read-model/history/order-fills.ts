import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { sideNames } from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { rowAnswer } from '../../wire/answers.js'
import { routeBy } from '../../wire/route.js'
import { firstIdBy } from './first-id.js'
import { fills } from './history-tables.js'
import { packedQuery, shownRows } from './packed-query.js'
import { rowsBetween } from './row-blocks.js'
import type { HistoryRoute, WithInstrument } from './select.js'
import type { Row } from './table.js'

const orderFillQuery = packedQuery(fills, ['underlying'], fillOf)

/**
 * What an order traded in the step that placed it: it was the taker then, and never again. `time` is that of the step, by
 * which its fills are found among all.
 */
export const orderFillsRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (read) => [read.requiredText('order_id'), read.requiredText('time')].map(Number),
  ([orderId = 0, millis = 0], { seq, select }) => {
    const first = firstIdBy(select, fills, millis)
    const end = firstIdBy(select, fills, millis + 1)
    const isTheirs = (fill: Row<typeof fills>) =>
      fill.millis === millis && fill.orderId === orderId && fill.isTaker === 1
    const rows = [...rowsBetween(select, fills, first, end)].filter(isTheirs)
    return rowAnswer(shownRows(select, orderFillQuery, rows), seq)
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
