import { gainText, momentText, moneyText, toneOf } from '../model/numbers.js'
import { competition, leaderboard, loadLeaderboard } from '../state/contest.js'
import { session } from '../state/session.js'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const boardMillis = 5000

/** Ranking of the current competition, or of the last one. */
export function LeaderboardPanel() {
  usePeriodic(boardMillis, loadLeaderboard, session.value)
  const board = leaderboard.value
  const contest = competition.value
  if (board === null) return <p class="empty">Loading…</p>
  if (contest === null) return <p class="empty">No competition has started yet.</p>
  const own = board.connected_user
  return (
    <>
      <h3>
        {contest.name}{' '}
        <small class="dim">
          {contest.state}, until {momentText(contest.end_ts_ms)}
        </small>
      </h3>
      {own === null || own.rank === null ? null : (
        <p class="worst">
          Your rank: {own.rank}, P&L {gainText(own.pnl)} USD
        </p>
      )}
      <Table
        heads={['Name', 'Rank', 'P&L', 'Volume', 'Efficiency', 'Medal']}
        empty="No participant has traded yet."
        rows={board.data.map((row) => ({
          key: row.wallet,
          cells: [
            <span key="name" class={row.wallet === session.value?.client.wallet ? 'own' : ''}>
              {row.hyperliquid_name ?? row.username}
            </span>,
            row.rank,
            <span key="pnl" class={toneOf(row.pnl)}>
              {gainText(row.pnl)}
            </span>,
            moneyText(row.volume),
            row.efficiency,
            row.medal ?? '',
          ],
        }))}
      />
    </>
  )
}
