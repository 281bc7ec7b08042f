import { type CompetitionMetric, CompetitionState } from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import { type Answer, listAnswer, refusedAnswer, rowAnswer } from '../../wire/answers.js'
import { route } from '../../wire/route.js'
import { printable } from '../../wire/shown-text.js'
import {
  type Contest,
  connectedUser,
  leaderboardRow,
  lifetimeRealized,
  metricRanks,
  standingText,
} from '../texts/competition-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'
import { shownName } from '../texts/shown-name.js'
import { competitionJson, metricNameOf } from '../views/competition-views.js'

/** Answer while the required standings are being loaded. */
export const standingsPending: Answer<never> = refused(Result.NotReady, 'standings are being read')

/** Requested contest; null: none has begun; or the error. */
type RequestedContest = Contest | null | Answer<never>

/** Answers GET /competitions, latest start first. */
export const competitionsRoute: ReadRoute = route(
  viewReads['GET /competitions'],
  ({ state, ...page }, { views }: RouteContext) => {
    const all = views.competitions.list()
    const wanted = state === null ? all : all.filter((facts) => facts.state === state + 1)
    const { limit, offset } = page
    const rows = wanted.slice(offset, offset + limit).map(competitionJson)
    return listAnswer(rows, page, views.seq)
  },
)

/** Answers GET /competitions/:id. */
export const competitionRoute: ReadRoute = route(
  viewReads['GET /competitions/'],
  ({ competition_id }, { views }: RouteContext) => {
    const id = /^[1-9]\d{0,15}$/.test(competition_id) ? Number(competition_id) : 0
    const facts = views.competitions.find(id)
    if (facts === null) return notFound(competition_id)
    return rowAnswer(competitionJson(facts), views.seq)
  },
)

/** Answers GET /leaderboard. */
export const leaderboardRoute: ReadRoute = route(
  viewReads['GET /leaderboard'],
  ({ competition_id, sort_by, sort_order, wallet, ...page }, context: RouteContext) => {
    const contest = contestOf(competition_id, context)
    if (isAnswer(contest)) return contest
    const primary = contest?.facts.winConditions[0] ?? 1
    const metric = (sort_by === null ? primary : sort_by + 1) as CompetitionMetric
    const { limit, offset } = page
    const standings = contest?.ledger?.standings ?? null
    const rows = standings?.page(metric, sort_order === 'asc', offset, limit) ?? []
    return listAnswer(
      rows.map(({ row, rank }) => leaderboardRow(context.views, contest!, row, rank)),
      page,
      context.views.seq,
      {
        competition_id: contest?.facts.id ?? null,
        ...{ sort_by: metricNameOf(metric), sort_order },
        connected_user:
          wallet === null ? null : connectedUser(context.views, contest, wallet, metric),
      },
    )
  },
)

/** Answers GET /competition-metric-ranks. */
export const metricRanksRoute: ReadRoute = route(
  viewReads['GET /competition-metric-ranks'],
  ({ wallet, competition_id }, context: RouteContext) => {
    const contest = contestOf(competition_id, context)
    if (isAnswer(contest)) return contest
    const data = {
      competition_id: contest?.facts.id ?? null,
      wallet,
      participants: contest?.ledger?.standings?.count ?? 0,
      ranks: metricRanks(contest, wallet),
    }
    return rowAnswer(data, context.views.seq)
  },
)

/** Answers GET /competition/summary: realized profit of a wallet, and its standing in the active competition. */
export const competitionSummaryRoute: ReadRoute = route(
  viewReads['GET /competition/summary'],
  ({ wallet }, context: RouteContext) => {
    const contest = contestOf(null, context)
    if (isAnswer(contest)) return contest
    const isActive = contest?.facts.state === CompetitionState.Active
    const data = {
      wallet,
      lifetime_realized_pnl: lifetimeRealized(context.views, wallet),
      active_competition: isActive ? standingText(contest, wallet) : null,
    }
    return rowAnswer(data, context.views.seq)
  },
)

/** Answers GET /competition/account: standing of a wallet in a competition. */
export const competitionAccountRoute: ReadRoute = route(
  viewReads['GET /competition/account'],
  ({ wallet, competition_id }, context: RouteContext) => {
    const contest = contestOf(competition_id, context)
    if (isAnswer(contest)) return contest
    if (contest === null) return refused(Result.NotFound, 'no competition has begun')
    const data = {
      ...{ wallet, username: shownName(context.views, wallet) },
      lifetime_realized_pnl: lifetimeRealized(context.views, wallet),
      competition: standingText(contest, wallet),
    }
    return rowAnswer(data, context.views.seq)
  },
)

function contestOf(id: number | null, { standings, views }: RouteContext): RequestedContest {
  const { competitions } = views
  const facts = id === null ? competitions.current : competitions.find(id)
  if (facts === null) return id === null ? null : notFound(String(id))
  if (facts.state === CompetitionState.Pre) return { facts, ledger: null }
  const ledger = standings.find(facts.id, facts.state === CompetitionState.Post)
  return ledger === null ? standingsPending : { facts, ledger }
}

function isAnswer(contest: RequestedContest): contest is Answer<never> {
  return contest !== null && 'body' in contest
}

function notFound(id: string): Answer<never> {
  return refused(Result.NotFound, `no competition ${printable(id)}`)
}

function refused(result: Result, message: string): Answer<never> {
  return refusedAnswer(Envelope.Success, { result, message })
}
