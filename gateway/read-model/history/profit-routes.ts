import { dataAnswer, Envelope } from '../../wire/answers.js'
import { historyEndpoints } from '../../wire/read-endpoints.js'
import { routeBy } from '../../wire/route.js'
import { firstMillisOf, pastOf, realizedRows, sumsBetween, totalsOf } from './profit-query.js'
import type { HistoryRoute, HistorySource } from './select.js'

// Questions of the gateways' own about what a wallet has earned.

const { from_ts_ms: from, to_ts_ms: to } = historyEndpoints['GET /profile/trades'].query

/** What a profile has of the past. */
export const profileRoute: HistoryRoute = routeBy(
  Envelope.Data,
  (query) => query.wallet(),
  (wallet, source) => dataAnswer({ ...pastOf(source, wallet) }, source.seq),
)

/** What was realized in a span, by symbol; of a span that has all of it the sums as they are. */
export const realizedPnlRoute: HistoryRoute = routeBy(
  Envelope.Data,
  (query) => ({
    wallet: query.wallet(),
    from: from.read(query, 'from_ts_ms'),
    to: to.read(query, 'to_ts_ms'),
  }),
  (read, source) => dataAnswer(realizedRows(source, realizedIn(source, read)), source.seq),
)

function realizedIn(
  source: HistorySource,
  {
    wallet,
    from,
    to,
  }: { readonly wallet: string; readonly from: number | null; readonly to: number | null },
) {
  const firstMillis = firstMillisOf(source, wallet)
  if (firstMillis === null) return new Map()
  const toMillis = Math.min(to ?? Number.POSITIVE_INFINITY, source.nowMillis + 1)
  const fromMillis = Math.max(from ?? 0, firstMillis)
  const isAll = fromMillis === firstMillis && toMillis > source.toldMillis
  if (isAll) return totalsOf(source, wallet)
  return sumsBetween(source, wallet, { fromMillis, toMillis: Math.max(fromMillis, toMillis) })
}
