// What fields of answers and messages about competitions mean.

/** By name, wherever no words of its own stand below. */
export const contestWords: Readonly<Record<string, string>> = {
  competition_id: 'Id of the competition; null: there is none',
  competition_name: 'Name of the competition',
  competition_state: 'Whether it is still to come, runs or is over',
  competition: 'How the wallet stands in it',
  active_competition: 'How the wallet stands in the one that runs; null: it is in none',
  id: 'Its id',
  name: 'Its name',
  description: 'Words for those who take part; null: there are none',
  rules_url: 'Where its rules are; null: nowhere',
  rules_content: 'Its rules; null: there are none',
  win_conditions: 'Metrics of its ranks, the primary one first',
  primary_win_condition: 'The metric that medals go by',
  start_ts_ms: 'When it begins',
  end_ts_ms: 'When it is over',
  state: 'Whether it is still to come, runs or is over',
  rank: 'Place among those who have traded, 1 the best; null: the wallet has not',
  volume: 'What was traded, in USD of the underlying',
  efficiency:
    'Profit as a share of the largest initial margin behind a fill, which counts at least 1000 USD',
  medal: '1 to 3 by the primary metric once it is over, else null',
  hyperliquid_name:
    'Name that another service knows the wallet by, kept ten minutes; null: none is known',
  sort_by: 'Metric that the rows are ranked by',
  sort_order: 'Whether the best comes first',
  connected_user: 'The row of the wallet that was named; null: none was',
  participants: 'Wallets that have traded',
  ranks: 'Rank and value by each metric',
  value: 'What the wallet has come to',
  lifetime_realized_pnl: 'Profit that has become final since the wallet began, in USD',
  from_rank: 'Rank before',
  to_rank: 'Rank now',
  delta_places: 'from_rank less to_rank: above 0 is a rise',
  next_rank: 'The next better rank; null for the leader',
  gap_metric_value: 'How far the next better rank is, in the primary metric; null for the leader',
}
