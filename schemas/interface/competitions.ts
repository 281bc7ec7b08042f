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
    description: 'Medal by the primary metric after the end: 1 to 3; null: none',
  },
}

export const competition = named('Competition', {
  id: count('Its id'),
  name: text('Its name'),
  description: nullable(text('Description for participants; null: none')),
  rules_url: nullable(text('Address of its rules; null: none')),
  rules_content: nullable(text('Its rules; null: there are none')),
  win_conditions: list(
    oneOf(competitionMetricNames),
    'Metrics of its ranks, the primary one first',
  ),
  primary_win_condition: oneOf(competitionMetricNames, 'Metric of the medals'),
  start_ts_ms: millis('Time of creation'),
  end_ts_ms: millis('End time'),
  state: oneOf(competitionStateNames, 'State of the competition'),
  created_at: iso('Time of creation'),
  updated_at: iso('Time of the latest change'),
})
export type Competition = JsonOf<typeof competition>

export const competitionStanding = named('CompetitionStanding', {
  competition_id: count('Id of the competition; null: none'),
  competition_name: text('Name of the competition'),
  competition_state: oneOf(competitionStateNames, 'State of the competition'),
  rank: nullable(count('Rank among wallets that traded, from 1; null: the wallet has not traded')),
  pnl: decimal('Profit in USD'),
  volume: decimal('Traded volume in USD of the underlying'),
  efficiency: decimal(
    'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
  ),
  medal: medal,
})
export type CompetitionStanding = JsonOf<typeof competitionStanding>

export const competitionsReads = {
  'GET /competitions': read({
    group: 'Competitions',
    summary: 'Returns competitions, latest start first',
    query: { state: param.competitionState, ...param.page(100, 50) },
    answer: rows(competition, 'Competitions, latest start first'),
  }),
  'GET /competitions/': read({
    group: 'Competitions',
    summary: 'Returns a competition',
    pathParameter: 'competition_id',
    query: { competition_id: param.requiredText('Id of the competition') },
    errors: [Result.NotFound],
    answer: row(competition),
  }),
  'GET /leaderboard': read({
    group: 'Competitions',
    summary: 'Returns the ranks of a competition',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Competition; absent: the running one that began last, else the one that ended last',
      ),
      sort_by: param.competitionMetric,
      sort_order: param.sortOrder,
      wallet: param.address('Wallet that acts, or that is read'),
      ...param.page(100, 50),
    },
    errors: [Result.NotFound],
    answer: rows(
      object({
        rank: count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
        wallet: address('Wallet of the account'),
        username: text('Name of the wallet, or a name derived from its address'),
        pnl: decimal('Profit in USD'),
        volume: decimal('Traded volume in USD of the underlying'),
        efficiency: decimal(
          'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
        ),
        medal: medal,
        hyperliquid_name: nullable(
          text(
            'Name that another service knows the wallet by, kept ten minutes; null: none is known',
          ),
        ),
      }),
      'Ranks of wallets, best first',
      {
        competition_id: nullable(count('Id of the competition; null: none')),
        sort_by: oneOf(competitionMetricNames, 'Metric that the rows are ranked by'),
        sort_order: oneOf(['asc', 'desc'], '`desc`: the best first'),
        connected_user: nullable(
          object(
            {
              wallet: address('Wallet of the account'),
              username: text('Name of the wallet, or a name derived from its address'),
              rank: nullable(
                count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
              ),
              pnl: nullable(decimal('Profit in USD')),
              volume: nullable(decimal('Traded volume in USD of the underlying')),
              efficiency: nullable(
                decimal(
                  'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
                ),
              ),
              medal: medal,
            },
            'Row of the requested wallet; null: none was requested',
          ),
        ),
      },
    ),
  }),
  'GET /competition-metric-ranks': walletRead({
    group: 'Competitions',
    summary: 'Returns the ranks of a wallet by each metric',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Competition; absent: the running one that began last, else the one that ended last',
      ),
    },
    errors: [Result.NotFound],
    answer: row(
      object({
        competition_id: nullable(count('Id of the competition; null: none')),
        wallet: address('Wallet of the account'),
        participants: count('Wallets that traded'),
        ranks: object(
          {
            pnl: object(
              {
                rank: nullable(
                  count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
                ),
                value: decimal('Value of the wallet'),
              },
              'Profit in USD',
            ),
            volume: object(
              {
                rank: nullable(
                  count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
                ),
                value: decimal('Value of the wallet'),
              },
              'Traded volume in USD of the underlying',
            ),
            efficiency: object(
              {
                rank: nullable(
                  count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
                ),
                value: decimal('Value of the wallet'),
              },
              'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
            ),
          },
          'Rank and value by each metric',
        ),
      }),
    ),
  }),
  'GET /competition/summary': walletRead({
    group: 'Competitions',
    summary: 'Returns the rank of a wallet in the running competition',
    errors: [Result.NotFound],
    answer: row(
      object({
        wallet: address('Wallet of the account'),
        lifetime_realized_pnl: decimal('Realized profit since the first credit, in USD'),
        active_competition: nullable(
          competitionStanding,
          'Standing of the wallet in the running competition; null: none',
        ),
      }),
    ),
  }),
  'GET /competition/leaderboard': read({
    group: 'Competitions',
    summary: 'Returns the ranks of a competition; another path of /leaderboard',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Competition; absent: the running one that began last, else the one that ended last',
      ),
      sort_by: param.competitionMetric,
      sort_order: param.sortOrder,
      wallet: param.address('Wallet that acts, or that is read'),
      ...param.page(100, 50),
    },
    errors: [Result.NotFound],
    answer: rows(
      object({
        rank: count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
        wallet: address('Wallet of the account'),
        username: text('Name of the wallet, or a name derived from its address'),
        pnl: decimal('Profit in USD'),
        volume: decimal('Traded volume in USD of the underlying'),
        efficiency: decimal(
          'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
        ),
        medal: medal,
        hyperliquid_name: nullable(
          text(
            'Name that another service knows the wallet by, kept ten minutes; null: none is known',
          ),
        ),
      }),
      'Ranks of the wallet',
      {
        competition_id: nullable(count('Id of the competition; null: none')),
        sort_by: oneOf(competitionMetricNames, 'Metric that the rows are ranked by'),
        sort_order: oneOf(['asc', 'desc'], '`desc`: the best first'),
        connected_user: nullable(
          object(
            {
              wallet: address('Wallet of the account'),
              username: text('Name of the wallet, or a name derived from its address'),
              rank: nullable(
                count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
              ),
              pnl: nullable(decimal('Profit in USD')),
              volume: nullable(decimal('Traded volume in USD of the underlying')),
              efficiency: nullable(
                decimal(
                  'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
                ),
              ),
              medal: medal,
            },
            'Row of the requested wallet; null: none was requested',
          ),
        ),
      },
    ),
  }),
  'GET /competition/account': walletRead({
    group: 'Competitions',
    summary: 'Returns the rank of a wallet in a competition',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Competition; absent: the running one that began last, else the one that ended last',
      ),
    },
    errors: [Result.NotFound],
    answer: row(
      object({
        wallet: address('Wallet of the account'),
        username: text('Name of the wallet, or a name derived from its address'),
        lifetime_realized_pnl: decimal('Realized profit since the first credit, in USD'),
        competition: described(competitionStanding, 'Standing of the wallet'),
      }),
    ),
  }),
}
