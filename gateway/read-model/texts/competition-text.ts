import { formatMicros } from '../../../schemas/decimal.js'
import {
  CompetitionMetric,
  CompetitionState,
  competitionMetricNames,
} from '../../../schemas/domain.js'
import type {
  CompetitionStanding,
  ConnectedUser,
  LeaderboardRow,
  MetricRanks,
} from '../../../schemas/interface/competitions.js'
import type { Ledger } from '../standings/ledger.js'
import type { CompetitionFacts } from '../views/competition-views.js'
import { stateNameOf } from '../views/competition-views.js'
import type { EventViews } from '../views/event-views.js'
import { shownName } from './shown-name.js'

const medals = 3

type MetricValues = Pick<CompetitionStanding, 'pnl' | 'volume' | 'efficiency'>

/** Competition with its results; null: no results are possible yet. */
export interface Contest {
  readonly facts: CompetitionFacts
  readonly ledger: Ledger | null
}

/** Returns the row of a wallet in a contest; -1 if it does not participate. */
export function participantOf(contest: Contest | null, wallet: string): number {
  const ledger = contest?.ledger
  const row = ledger?.participants.find(wallet) ?? -1
  return ledger?.standings?.takesPart(row) === true ? row : -1
}

/** Returns the rank by a metric, from 1; null for a non-participant. */
export function rankOf(
  contest: Contest | null,
  row: number,
  metric: CompetitionMetric,
): number | null {
  return row < 0 ? null : contest!.ledger!.standings!.rankOf(row, metric)
}

/** Returns 1 to 3 by the primary win condition once the competition has ended, otherwise null. */
function medalOf(contest: Contest, row: number): number | null {
  const { facts } = contest
  if (facts.state !== CompetitionState.Post) return null
  const rank = rankOf(contest, row, facts.winConditions[0]!)
  return rank !== null && rank <= medals ? rank : null
}

/** Returns the values of all metrics by name; 0 for a non-participant. */
export function valuesOf(contest: Contest | null, row: number): MetricValues {
  const text = (metric: CompetitionMetric) =>
    row < 0 ? '0' : contest!.ledger!.participants.text(row, metric)
  return {
    pnl: text(CompetitionMetric.Pnl),
    volume: text(CompetitionMetric.Volume),
    efficiency: text(CompetitionMetric.Efficiency),
  }
}

/** Returns the complete standing of a row, ranked by the primary win condition or another metric. */
export function standingOf(
  contest: Contest,
  row: number,
  metric = contest.facts.winConditions[0]!,
) {
  const rank = rankOf(contest, row, metric)
  return { rank, ...valuesOf(contest, row), medal: medalOf(contest, row) }
}

/** Formats a row of the leaderboard. */
export function leaderboardRow(
  views: EventViews,
  contest: Contest,
  row: number,
  rank: number,
): LeaderboardRow {
  const wallet = contest.ledger!.participants.wallets[row]!
  return {
    ...{ rank, wallet, username: shownName(views, wallet), ...valuesOf(contest, row) },
    medal: medalOf(contest, row),
    // Filled in by the gateway.
    hyperliquid_name: null,
  }
}

/** Formats the standing of a wallet by a metric; without a trade only wallet and name. */
export function connectedUser(
  views: EventViews,
  contest: Contest | null,
  wallet: string,
  metric: CompetitionMetric,
): ConnectedUser {
  const row = participantOf(contest, wallet)
  const nothing = { rank: null, pnl: null, volume: null, efficiency: null, medal: null }
  const standing = row < 0 ? nothing : standingOf(contest!, row, metric)
  return { wallet, username: shownName(views, wallet), ...standing }
}

/** Formats the standing of a wallet by the primary win condition. */
export function standingText(contest: Contest, wallet: string): CompetitionStanding {
  const { facts } = contest
  return {
    competition_id: facts.id,
    competition_name: facts.name,
    competition_state: stateNameOf(facts.state),
    ...standingOf(contest, participantOf(contest, wallet)),
  }
}

/** Returns rank and value of a wallet by each metric. */
export function metricRanks(contest: Contest | null, wallet: string): MetricRanks['ranks'] {
  const row = participantOf(contest, wallet)
  const values = valuesOf(contest, row)
  const entries = competitionMetricNames.map((name, index) => {
    const rank = rankOf(contest, row, (index + 1) as CompetitionMetric)
    return [name, { rank, value: values[name] }] as const
  })
  return Object.fromEntries(entries) as MetricRanks['ranks']
}

/** Returns the realized profit of a wallet's positions so far, before fees. */
export function lifetimeRealized({ accounts }: EventViews, wallet: string): string {
  const account = accounts.find(wallet)
  return formatMicros(account < 0 ? 0 : accounts.risk.realizedTotalMicros[account]!)
}

/** Returns a participant's gap to the next better rank by the primary win condition; null for the leader. */
export function gapOf(contest: Contest, row: number) {
  const { facts, ledger } = contest
  const primary = facts.winConditions[0]!
  const rank = rankOf(contest, row, primary)!
  if (rank === 1) return { rank, next_rank: null, gap_metric_value: null }
  const next = ledger!.standings!.rowAt(rank - 1, primary)
  const gap = formatMicros(ledger!.participants.difference(next, row, primary))
  return { rank, next_rank: rank - 1, gap_metric_value: gap }
}
