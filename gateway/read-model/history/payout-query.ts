import { Envelope, listAnswer, rowAnswer } from '../../wire/answers.js'
import type { JsonOf } from '../../wire/json-text.js'
import { route } from '../../wire/route.js'
import type { PayoutRow } from '../../wire/wire-types.js'
import { settledCosts, settledText } from '../texts/payout-text.js'
import { payouts } from './history-tables.js'
import {
  type HistoryRoute,
  isOneOf,
  listLimitDefault,
  listLimitMax,
  namedInstruments,
  newestFirst,
  pageOf,
  withInstrument,
} from './select.js'
import { type Row, selected } from './table.js'

interface PayoutRecord extends Row<typeof payouts> {
  readonly symbol: string
  readonly expiryMillis: number
}

const payoutQuery =
  `select ${selected(payouts, 'p')}, i.symbol, i.expiry_millis as expiryMillis from payouts p ` +
  `${withInstrument} = p.instrument`

/** GET /settlement-payouts. */
export const payoutsRoute: HistoryRoute = route(
  Envelope.Success,
  (query, source) => {
    const wallet = query.wallet()
    const option = query.text('symbol')
    const isApplied = query.boolean(true, 'ledger_applied')
    const page = pageOf(query, listLimitMax, listLimitDefault)
    const instruments = namedInstruments(query, source, 'symbol', option)
    return { wallet, isApplied, page, instruments }
  },
  ({ wallet, isApplied, page, instruments }, source) => {
    // A payout is in the cash before it is told: there are none that are not applied.
    if (!isApplied) return listAnswer([], page, source.seq)
    const named = instruments === null ? [] : [isOneOf('p.instrument', instruments)]
    const conditions = [['p.wallet = ?', wallet] as const, ...named]
    const rows = newestFirst<PayoutRecord>(source, payoutQuery, conditions, 'p.payout_id', page)
    return listAnswer(rows.map(payoutRow), page, source.seq)
  },
)

/** How many of some payouts are the wallet's: what a request that names them is about. */
export const payoutsOwnedRoute: HistoryRoute = route(
  Envelope.Success,
  (query) => ({ wallet: query.wallet(), ids: query.text('ids') ?? '' }),
  ({ wallet, ids }, { seq, select }) => {
    const [named, ...values] = isOneOf('payout_id', [...new Set(ids.split(',').map(Number))])
    const sql = `select count(*) as count from payouts where wallet = ? and ${named}`
    return rowAnswer(select<{ count: number }>(sql, [wallet, ...values])[0]!.count, seq)
  },
)

/** Every payout is in the cash when it is told. */
function payoutRow(payout: PayoutRecord): JsonOf<PayoutRow> {
  return {
    id: payout.payoutId,
    wallet: payout.wallet,
    symbol: payout.symbol,
    expiry_ts: payout.expiryMillis / 1000,
    ...settledText(payout),
    ledger_applied: true,
    is_seen: payout.isSeen !== 0,
    created_at: payout.millis,
    ...settledCosts(payout),
  }
}
