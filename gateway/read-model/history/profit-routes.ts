import { Envelope } from '../../../schemas/interface/answer.js'
import { historyReads } from '../../../schemas/interface/reads.js'
import { dataAnswer } from '../../wire/answers.js'
import { readParameter } from '../../wire/parameter-readers.js'
import { routeBy } from '../../wire/route.js'
import { firstMillisOf, pastOf, realizedRows, sumsBetween, totalsOf } from './profit-query.js'
import type { HistoryRoute, HistorySource } from './select.js'
import { subtract } from './wallet-sums.js'

// Internal queries of the gateways about a wallet's profit.

const { from_ts_ms: from, to_ts_ms: to } = historyReads['GET /profile/trades'].query

/** Answers with the past of a profile. */
export const profileRoute: HistoryRoute = routeBy(
  Envelope.Data,
  (query) => query.wallet(),
  (wallet, source) => dataAnswer({ ...pastOf(source, wallet) }, source.seq),
)

/** Answers with realized profit in a time range, by symbol. */
export const realizedPnlRoute: HistoryRoute = routeBy(
  Envelope.Data,
  (query) => ({
    wallet: query.wallet(),
    from: readParameter(query, 'from_ts_ms', from),
    to: readParameter(query, 'to_ts_ms', to),
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
  if (fromMillis > firstMillis) {
    return sumsBetween(source, wallet, { fromMillis, toMillis: Math.max(fromMillis, toMillis) })
  }
  // Total minus later events, because sums of old days are merged.
  const sums = totalsOf(source, wallet)
  const later = {
    fromMillis: Math.max(firstMillis, toMillis),
    toMillis: source.lastEventMillis + 1,
  }
  for (const [about, one] of sumsBetween(source, wallet, later)) subtract(sums, { about, ...one })
  return sums
}
