import { competitionMetricNames, competitionStateNames } from '../../../schemas/domain.js'
import {
  address,
  component,
  count,
  decimal,
  iso,
  list,
  millis,
  nullable,
  object,
  oneOf,
  text,
} from '../shapes/shape.js'
import { row, rows } from './envelopes.js'
import { maybeDecimal } from './risk-answers.js'

// Answers about competitions.

const maybeCount = nullable(count)
const metric = oneOf(competitionMetricNames)
const competition = component(
  'Competition',
  object({
    id: count,
    name: text,
    description: nullable(text),
    rules_url: nullable(text),
    rules_content: nullable(text),
    win_conditions: list(metric),
    primary_win_condition: metric,
    start_ts_ms: millis,
    end_ts_ms: millis,
    state: oneOf(competitionStateNames),
    created_at: iso,
    updated_at: iso,
  }),
)

const values = { pnl: decimal, volume: decimal, efficiency: decimal }
const medal = nullable({ type: 'integer', minimum: 1, maximum: 3 })
/** A wallet's standing in a competition. */
export const standing = component(
  'CompetitionStanding',
  object({
    competition_id: count,
    competition_name: text,
    competition_state: oneOf(competitionStateNames),
    rank: maybeCount,
    ...values,
    medal,
  }),
)
const leaderboard = rows(
  object({
    rank: count,
    wallet: address,
    username: text,
    ...values,
    medal,
    hyperliquid_name: nullable(text),
  }),
  {
    competition_id: maybeCount,
    sort_by: metric,
    sort_order: oneOf(['asc', 'desc']),
    connected_user: nullable(
      object({
        wallet: address,
        username: text,
        rank: maybeCount,
        pnl: maybeDecimal,
        volume: maybeDecimal,
        efficiency: maybeDecimal,
        medal,
      }),
    ),
  },
)
const rank = object({ rank: maybeCount, value: decimal })

/** Answers by method and path. */
export const competitionAnswers = {
  'GET /competitions': rows(competition),
  'GET /competitions/': row(competition),
  'GET /leaderboard': leaderboard,
  'GET /competition/leaderboard': leaderboard,
  'GET /competition-metric-ranks': row(
    object({
      competition_id: maybeCount,
      wallet: address,
      participants: count,
      ranks: object({ pnl: rank, volume: rank, efficiency: rank }),
    }),
  ),
  'GET /competition/summary': row(
    object({
      wallet: address,
      lifetime_realized_pnl: decimal,
      active_competition: nullable(standing),
    }),
  ),
  'GET /competition/account': row(
    object({
      wallet: address,
      username: text,
      lifetime_realized_pnl: decimal,
      competition: standing,
    }),
  ),
}
