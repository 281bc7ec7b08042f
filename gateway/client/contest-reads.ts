import type { PageQuery } from '../../schemas/wire-types.js'
import type { CompetitionRanks, Leaderboard } from './answer-types.js'
import type { Competition } from './generated/interface.js'
import type { Query } from './rest-client.js'
import { WalletReads } from './wallet-reads.js'

/** Page of a leaderboard. */
export type LeaderboardQuery = PageQuery & {
  readonly competition_id?: number
  readonly sort_by?: Leaderboard['sort_by']
  readonly sort_order?: Leaderboard['sort_order']
}

/** Reads of competitions and standings. */
export class ContestReads extends WalletReads {
  /**
   * Returns competitions, latest start first.
   * @param query `state` selects one state.
   * @example
   * const [running] = await client.contests.list({ state: 'active' })
   */
  async list(
    query: Query & PageQuery & { readonly state?: 'pre' | 'active' | 'post' } = {},
  ): Promise<readonly Competition[]> {
    return (await this.get('/competitions', query)).data
  }

  /**
   * Returns one competition.
   * @throws ApiError `not_found`.
   * @example
   * const [{ id }] = await client.contests.list({ limit: 1 })
   * const { win_conditions } = await client.contests.find(id)
   */
  async find(id: number): Promise<Competition> {
    return (await this.getOne('/competitions/', id)).data
  }

  /**
   * Returns a page of a competition's leaderboard, and this wallet's rank.
   * @param query Without `competition_id`, selects the running competition or the last one that ended.
   * @throws ApiError `not_found`; `not_ready` while the venue reads standings after a start.
   * @example
   * const { data } = await client.contests.leaderboard({ sort_by: 'volume', limit: 10 })
   */
  leaderboard(query: LeaderboardQuery = {}): Promise<Leaderboard> {
    return this.getMine('/leaderboard', query)
  }

  /**
   * Returns rank and value of this wallet for each metric of a competition.
   * @example
   * const { ranks } = await client.contests.ranks()
   */
  ranks(competitionId?: number): Promise<CompetitionRanks> {
    return this.dataOfMine('/competition-metric-ranks', { competition_id: competitionId })
  }
}
