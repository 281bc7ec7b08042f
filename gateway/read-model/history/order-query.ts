import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import {
  OrderFlag,
  OrderStatus,
  orderStatusNames,
  sideNames,
  tifNames,
} from '../../../schemas/domain.js'
import { Result, resultRows, resultText } from '../../../schemas/results.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import { rowAnswer } from '../../wire/answers.js'
import type { OrderFilter } from '../../wire/parameters.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { tifFields } from '../../wire/tif-fields.js'
import type { OrderStatusName } from '../../wire/wire-types.js'
import { averagePrice } from '../texts/average-price.js'
import { orders, workingStatuses } from './history-tables.js'
import {
  type Condition,
  firstShown,
  type HistoryRoute,
  integerText,
  pageAnswer,
  query,
  type WithInstrument,
} from './select.js'

type OrderRecord = WithInstrument<typeof orders, 'symbol' | 'underlying'>

const orderQuery = query(orders, ['symbol', 'underlying'], orderRow)

/** By the status that clients ask for: what rows have. `open` is every working order, whatever has been filled. */
const statusFilters: Readonly<Record<OrderFilter, string>> = {
  ACKED: `= ${OrderStatus.Acked}`,
  OPEN: workingStatuses,
  PARTIALLY_FILLED: `= ${OrderStatus.PartiallyFilled}`,
  FILLED: `= ${OrderStatus.Filled}`,
  CANCELED: `= ${OrderStatus.Canceled}`,
  CANCELLED: `= ${OrderStatus.Canceled}`,
  REJECTED: `= ${OrderStatus.Rejected}`,
}

/** GET /orders. */
export const ordersRoute: HistoryRoute = route(
  historyEndpoints['GET /orders'],
  ({ wallet, status, ...page }, source) => {
    // The status stands in the text, because a partial index is used for a literal only.
    const ofStatus: Condition[] = status === null ? [] : [[`status ${statusFilters[status]}`]]
    return pageAnswer(source, orderQuery, [['wallet = ?', wallet], ...ofStatus], page)
  },
)

/** GET /orders/status: by the id of the exchange, else by the client's, of which the latest counts. */
export const orderStatusRoute: HistoryRoute = route(
  historyEndpoints['GET /orders/status'],
  ({ wallet, order_id: id }, source) => {
    const found = (of: Condition) => firstShown(source, orderQuery, ['wallet = ?', wallet], of)
    const order =
      (integerText.test(id) ? found(['order_id = ?', Number(id)]) : undefined) ??
      found(["client_id = ? and client_id <> ''", id])
    return rowAnswer(order ?? null, source.seq)
  },
  ({ order_id }, query) => {
    if (order_id === '') query.refuse(Result.InvalidParameter, 'order_id is empty')
  },
)

/** A row of GET /orders. */
export type OrderRow = ReturnType<typeof orderRow>

function orderRow(order: OrderRecord) {
  const filledLots = order.filledLots
  return {
    order_id: order.orderId,
    wallet_address: order.wallet,
    symbol: order.symbol,
    side: sideNames[order.side],
    price: formatMicros(order.priceMicros),
    size: formatLots(order.sizeLots),
    ...tifFields(tifNames[order.tif]!),
    status: orderStatusNames[order.status].toLowerCase() as Lowercase<OrderStatusName>,
    created_at: order.createdMillis,
    updated_at: new Date(order.updatedMillis).toISOString(),
    filled_size: formatLots(order.filledLots),
    client_id: order.clientId === '' ? null : order.clientId,
    reduce_only: (order.flags & OrderFlag.ReduceOnly) !== 0,
    mmp_enabled: (order.flags & OrderFlag.MmpEnabled) !== 0,
    instrument_type: instrumentTypeOf(order.symbol),
    reason: reasonOf(order),
    reason_code: resultRows[order.result as Result].code,
    avg_fill_price: filledLots === 0 ? null : averagePrice(order.filledMicros, filledLots),
  }
}

function reasonOf(order: OrderRecord): string | null {
  const { symbol, underlying } = order
  const ids = { client_id: order.clientId, order_id: String(order.orderId) }
  if (order.result >= 0) return null
  const text = resultText(order.result as Result, { symbol, underlying, ...ids })
  return text === '' ? null : text
}
