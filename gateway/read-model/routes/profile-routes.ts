import { formatMicros } from '../../../schemas/decimal.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import type { ValuesOf } from '../../../schemas/interface/parameter.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import { dataAnswer, refusedAnswer } from '../../wire/answers.js'
import type { ProfilePresent, RealizedSpan } from '../../wire/profile-parts.js'
import type { QueryReader } from '../../wire/query-reader.js'
import { route } from '../../wire/route.js'
import { marginOf, positionRows, unrealizedOf, withdrawableOf } from '../texts/portfolio-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'
import { shownName } from '../texts/shown-name.js'

// What the read model knows of a profile; the gateway has the history say the rest (`gateway/http/profile-read.ts`).

/** The present of GET /profile. */
export const profileRoute = route(viewReads['GET /profile'], ({ wallet }, context: RouteContext) =>
  dataAnswer(presentOf(wallet, context), context.views.seq),
)

function presentOf(wallet: string, { views }: RouteContext) {
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
  } satisfies ProfilePresent
}

const realizedEndpoint = viewReads['GET /profile/realized-pnl']

/** The span that GET /profile/realized-pnl is about. */
export const realizedPnlRoute: ReadRoute = route(
  realizedEndpoint,
  ({ wallet, competition_id, from_ts_ms: from, to_ts_ms: to }, { views }) => {
    const told = (span: Omit<RealizedSpan, 'wallet'>) => dataAnswer({ wallet, ...span }, views.seq)
    if (competition_id === null) return told({ from, to })
    const facts = views.competitions.find(competition_id)
    if (facts !== null) return told({ from: facts.startMillis, to: facts.endMillis })
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
