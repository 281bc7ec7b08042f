// Descriptions of fields about competitions.

/** Descriptions by name, unless the place has its own. */
export const contestWords: Readonly<Record<string, string>> = {
  competition_id: 'Id of the competition; null: there is none',
  competition_name: 'Name of the competition',
  competition_state: 'State of the competition',
  competition: 'Standing of the wallet',
  active_competition: 'Standing of the wallet in the running competition; null: none',
  id: 'Its id',
  name: 'Its name',
  description: 'Description for participants; null: none',
  rules_url: 'Address of its rules; null: none',
  rules_content: 'Its rules; null: there are none',
  win_conditions: 'Metrics of its ranks, the primary one first',
  primary_win_condition: 'Metric of the medals',
  start_ts_ms: 'Start time',
  end_ts_ms: 'End time',
  state: 'State of the competition',
  rank: 'Rank among wallets that traded, 1 is best; null: the wallet did not trade',
  volume: 'Traded volume in USD of the underlying',
  efficiency:
    'Profit as a share of the largest initial margin after a fill; the margin counts as at least 1000 USD',
  medal: '1 to 3 by the primary metric once it is over, else null',
  hyperliquid_name:
    'Name that another service knows the wallet by, kept ten minutes; null: none is known',
  sort_by: 'Metric that the rows are ranked by',
  sort_order: '`desc`: the best first',
  connected_user: 'Row of the requested wallet; null: none was requested',
  participants: 'Wallets that traded',
  ranks: 'Rank and value by each metric',
  value: 'Value of the wallet',
  lifetime_realized_pnl: 'Realized profit since the first credit, in USD',
  from_rank: 'Rank before',
  to_rank: 'Rank now',
  delta_places: 'from_rank less to_rank: above 0 is a rise',
  next_rank: 'The next better rank; null for the leader',
  gap_metric_value: 'Distance to the next better rank in the primary metric; null for the leader',
}
