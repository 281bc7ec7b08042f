import { formatMicros } from '../../../schemas/decimal.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import type { Parameters, ValuesOf } from '../../../schemas/interface/parameter.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import { dataAnswer, refusedAnswer } from '../../wire/answers.js'
import type { ProfilePresent, RealizedSpan } from '../../wire/profile-parts.js'
import type { QueryReader } from '../../wire/query-reader.js'
import { type RouteRow, route } from '../../wire/route.js'
import { marginOf, positionRows, unrealizedOf, withdrawableOf } from '../texts/portfolio-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'
import { shownName } from '../texts/shown-name.js'

// Part of a profile from the read model; the gateway adds the history's part (`gateway/http/profile-read.ts`).

/** Answers the current part of GET /profile. */
export const profileRoute = route(
  partOf(viewReads['GET /profile']),
  ({ wallet }, context: RouteContext) => dataAnswer(presentOf(wallet, context), context.views.seq),
)

function presentOf(wallet: string, { views }: RouteContext): ProfilePresent {
  const account = views.accounts.find(wallet)
  const summary = marginOf(views, account)
  const rows = positionRows(views, account)
  const unrealizedMicros = rows.reduce((sum, row) => sum + unrealizedOf(views, row), 0)
  return {
    wallet,
    username: shownName(views, wallet),
    in_use: formatMicros(summary.totalMarginUsed),
    available: formatMicros(withdrawableOf(views, account, summary)),
    total: formatMicros(summary.equity),
    unrealized: formatMicros(unrealizedMicros),
  }
}

const realizedEndpoint = viewReads['GET /profile/realized-pnl']

/** Returns the row of a read whose data is only a part of the answer. */
function partOf<P extends Parameters>({ answer: { envelope }, query }: RouteRow<P>): RouteRow<P> {
  return { answer: { envelope }, query }
}

/** Answers the time range of GET /profile/realized-pnl. */
export const realizedPnlRoute: ReadRoute = route(
  partOf(realizedEndpoint),
  ({ wallet, competition_id, from_ts_ms: from, to_ts_ms: to }, { views }) => {
    const answerFor = (span: Omit<RealizedSpan, 'wallet'>) =>
      dataAnswer({ wallet, ...span }, views.seq)
    if (competition_id === null) return answerFor({ from, to })
    const facts = views.competitions.find(competition_id)
    if (facts !== null) return answerFor({ from: facts.startMillis, to: facts.endMillis })
    const message = `no competition ${competition_id}`
    return refusedAnswer(Envelope.Data, { result: Result.NotFound, message })
  },
  checkSpan,
)

function checkSpan(
  { competition_id, from_ts_ms, to_ts_ms }: ValuesOf<(typeof realizedEndpoint)['query']>,
  query: QueryReader,
): void {
  const isBoth = competition_id !== null && (from_ts_ms !== null || to_ts_ms !== null)
  if (!isBoth) return
  query.refuse(
    Result.InvalidParameter,
    'competition_id cannot be combined with from_ts_ms or to_ts_ms',
  )
}
