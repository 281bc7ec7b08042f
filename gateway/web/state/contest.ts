import { signal } from '@preact/signals'
import type { Leaderboard } from '../../client/answer-types.js'
import type { Competition } from '../../client/generated/interface.js'
import { session } from './session.js'
import { rest } from './venue.js'

const rowsMax = 50

export const leaderboard = signal<Leaderboard | null>(null)
/** Competition of the leaderboard; null: none yet. */
export const competition = signal<Competition | null>(null)

export async function loadLeaderboard(): Promise<void> {
  const wallet = session.value?.client.wallet
  const board = await rest.request<Leaderboard>('GET', '/leaderboard', {
    query: { limit: rowsMax, wallet },
  })
  const { data } = await rest.request<{ data: readonly Competition[] }>('GET', '/competitions')
  leaderboard.value = board
  competition.value = data.find(({ id }) => id === board.competition_id) ?? null
}
