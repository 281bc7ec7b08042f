import { efficiencyMarginMicrosMin, microsPerUsd } from '../bounds.js'
import { competitionMetricNames, competitionStateNames } from '../domain.js'
import { Result } from '../results.js'
import { row, rows } from './answer.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import {
  address,
  count,
  decimal,
  described,
  iso,
  type JsonOf,
  list,
  millis,
  named,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.js'

/** Medal of a rank. */
export const medal: Shape<number | null> = {
  schema: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 3,
    description:
      'Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not ' +
      'among the first three',
  },
}

const noCompetition = nullable(count('Id of the competition; null: no competition has begun'))
const rank = nullable(
  count('Rank among the wallets that traded, from 1; null: the wallet has not traded'),
)
const efficiencyMin = efficiencyMarginMicrosMin / microsPerUsd
const metricWords = {
  pnl: 'Realized profit less fees, in USD',
  volume: 'Underlying value traded, in USD',
  efficiency:
    `Profit divided by the largest initial margin after a fill; a margin below ${efficiencyMin} USD counts as ` +
    `${efficiencyMin}`,
}
export const metrics = {
  pnl: decimal(metricWords.pnl),
  volume: decimal(metricWords.volume),
  efficiency: decimal(metricWords.efficiency),
}
const username = text('Username of the wallet, or a name derived from its address if it has none')
export const lifetimeRealizedPnl = decimal(
  'Realized profit since the account was opened, before fees, in USD',
)
const metricName = oneOf(competitionMetricNames)

export const competition = named('Competition', {
  id: count('Id of the competition'),
  name: text('Name of the competition'),
  description: nullable(text('Description for participants; null: none')),
  rules_url: nullable(text('URL of the rules; null: none')),
  rules_content: nullable(text('Text of the rules; null: none')),
  win_conditions: list(metricName, 'Metrics that rank wallets, the primary one first'),
  primary_win_condition: oneOf(competitionMetricNames, 'Metric that decides the medals'),
  start_ts_ms: millis('Start of the competition'),
  end_ts_ms: millis('End of the competition'),
  state: oneOf(
    competitionStateNames,
    '`pre`: not started; `active`: between start and end; `post`: ended',
  ),
  created_at: iso('Time of creation'),
  updated_at: iso('Time of the latest change'),
})
export type Competition = JsonOf<typeof competition>

export const competitionStanding = named('CompetitionStanding', {
  competition_id: count('Id of the competition'),
  competition_name: text('Name of the competition'),
  competition_state: oneOf(competitionStateNames, 'State of the competition'),
  rank: described(
    rank,
    'Rank by the primary metric among the wallets that traded, from 1; null: the wallet has not traded',
  ),
  ...metrics,
  medal,
})
export type CompetitionStanding = JsonOf<typeof competitionStanding>

const leaderboardRow = object({
  rank: count('Rank by `sort_by`, from 1'),
  wallet: address('Wallet of the participant'),
  username,
  ...metrics,
  medal,
  hyperliquid_name: nullable(
    text('Name of the wallet at an external service, up to ten minutes old; null: unknown'),
  ),
})
export type LeaderboardRow = JsonOf<typeof leaderboardRow>

const connectedUser = object(
  {
    wallet: address('The requested wallet'),
    username,
    rank: nullable(count('Rank by `sort_by`, from 1; null: the wallet has not traded')),
    pnl: nullable(decimal(`${metricWords.pnl}; null: the wallet has not traded`)),
    volume: nullable(decimal(`${metricWords.volume}; null: the wallet has not traded`)),
    efficiency: nullable(decimal(`${metricWords.efficiency}; null: the wallet has not traded`)),
    medal,
  },
  'Standing of the requested wallet; null: the query has no `wallet`',
)
export type ConnectedUser = JsonOf<typeof connectedUser>

const leaderboardFields = {
  competition_id: noCompetition,
  sort_by: oneOf(competitionMetricNames, 'Metric that sorts the rows'),
  sort_order: oneOf(['asc', 'desc'], '`desc`: best rank first; `asc`: best rank last'),
  connected_user: nullable(connectedUser),
}

const metricRank = (name: keyof typeof metricWords) =>
  object(
    { rank, value: decimal('Value of the metric; 0: the wallet has not traded') },
    metricWords[name],
  )

const metricRanks = object({
  competition_id: noCompetition,
  wallet: address('The requested wallet'),
  participants: count('Number of wallets that traded'),
  ranks: object(
    {
      pnl: metricRank('pnl'),
      volume: metricRank('volume'),
      efficiency: metricRank('efficiency'),
    },
    'Rank and value by each metric',
  ),
})
export type MetricRanks = JsonOf<typeof metricRanks>

const competitionSummary = object({
  wallet: address('The requested wallet'),
  lifetime_realized_pnl: lifetimeRealizedPnl,
  active_competition: nullable(
    competitionStanding,
    'Standing in the active competition; null: no competition is active',
  ),
})

const competitionAccount = object({
  wallet: address('The requested wallet'),
  username,
  lifetime_realized_pnl: lifetimeRealizedPnl,
  competition: described(competitionStanding, 'Standing in the competition'),
})

const competitionId = param.integer(
  [1, Number.MAX_SAFE_INTEGER],
  null,
  'Id of the competition; absent: the most recently started active competition, otherwise the one that ended last',
)

/** Page of a leaderboard. Two paths return it. */
const leaderboard = {
  group: 'Competitions',
  description:
    'Only wallets that traded have a rank. Equal values rank by address, lowest first. While the venue loads the ' +
    'standings, the request fails with `not_ready`: retry it.',
  query: {
    competition_id: competitionId,
    sort_by: param.competitionMetric,
    sort_order: param.sortOrder,
    wallet: param.address('Wallet whose standing to include as `connected_user`; absent: none'),
    ...param.page(100, 50),
  },
  errors: [Result.NotFound],
  answer: rows(leaderboardRow, 'Rows in order of rank', leaderboardFields),
} as const

export const competitionsReads = {
  'GET /competitions': read({
    group: 'Competitions',
    summary: 'Returns competitions',
    description: 'Sorted by start, latest first.',
    query: { state: param.competitionState, ...param.page(100, 50) },
    answer: rows(competition, 'Competitions that match the filter'),
  }),
  'GET /competitions/': read({
    group: 'Competitions',
    summary: 'Returns a competition by its id',
    pathParameter: 'competition_id',
    query: { competition_id: param.requiredText('Id of the competition') },
    errors: [Result.NotFound],
    answer: row(described(competition, 'The competition')),
  }),
  'GET /leaderboard': read({
    ...leaderboard,
    summary: 'Returns the leaderboard of a competition',
  }),
  'GET /competition-metric-ranks': walletRead({
    group: 'Competitions',
    summary: 'Returns the rank of a wallet by each metric of a competition',
    query: { competition_id: competitionId },
    errors: [Result.NotFound],
    answer: row(described(metricRanks, 'Ranks of the wallet')),
  }),
  'GET /competition/summary': walletRead({
    group: 'Competitions',
    summary: 'Returns the realized profit of a wallet and its standing in the active competition',
    errors: [Result.NotFound],
    answer: row(described(competitionSummary, 'Summary of the wallet')),
  }),
  'GET /competition/leaderboard': read({
    ...leaderboard,
    summary: 'Returns the leaderboard of a competition; same as GET /leaderboard',
  }),
  'GET /competition/account': walletRead({
    group: 'Competitions',
    summary: 'Returns the standing of a wallet in a competition',
    description: 'Fails with 404 `not_found` if no competition has begun.',
    query: { competition_id: competitionId },
    errors: [Result.NotFound],
    answer: row(described(competitionAccount, 'Account of the wallet in the competition')),
  }),
}
