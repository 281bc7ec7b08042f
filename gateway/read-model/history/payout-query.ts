import { Envelope, listAnswer, rowAnswer } from '../../wire/answers.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { route, routeBy } from '../../wire/route.js'
import { settledCosts, settledText } from '../texts/payout-text.js'
import { payouts } from './history-tables.js'
import {
  type HistoryRoute,
  isOneOf,
  ofInstrument,
  pageAnswer,
  query,
  refuseNoInstrument,
  type WithInstrument,
} from './select.js'

const payoutQuery = query(payouts, ['symbol', 'expiryMillis'], payoutRow)

/** GET /settlement-payouts. */
export const payoutsRoute: HistoryRoute = route(
  historyEndpoints['GET /settlement-payouts'],
  ({ wallet, symbol, ledger_applied: isApplied, ...page }, source) => {
    // A payout is in the cash before it is told: there are none that are not applied.
    if (!isApplied) return listAnswer([], page, source.seq)
    const named = ofInstrument('payouts.instrument', symbol, source)
    return pageAnswer(source, payoutQuery, [['wallet = ?', wallet], ...named], page)
  },
  ({ symbol }, query) => refuseNoInstrument(query, 'symbol', symbol),
)

/** How many of some payouts are the wallet's: what a request that names them is about. */
export const payoutsOwnedRoute: HistoryRoute = routeBy(
  Envelope.Success,
  (query) => ({ wallet: query.wallet(), ids: query.text('ids') ?? '' }),
  ({ wallet, ids }, { seq, select }) => {
    const [named, ...values] = isOneOf('payout_id', [...new Set(ids.split(',').map(Number))])
    const sql = `select count(*) as count from payouts where wallet = ? and ${named}`
    return rowAnswer(select<{ count: number }>(sql, [wallet, ...values])[0]!.count, seq)
  },
)

/** One position that an expiry has settled. */
export type PayoutRow = ReturnType<typeof payoutRow>

/** Every payout is in the cash when it is told. */
function payoutRow(payout: WithInstrument<typeof payouts, 'symbol' | 'expiryMillis'>) {
  return {
    id: payout.payoutId,
    wallet: payout.wallet,
    symbol: payout.symbol,
    expiry_ts: payout.expiryMillis / 1000, // Unix seconds
    ...settledText(payout),
    ledger_applied: true,
    is_seen: payout.isSeen !== 0,
    created_at: payout.millis,
    ...settledCosts(payout),
  }
}
