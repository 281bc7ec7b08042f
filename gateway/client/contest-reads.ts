import type {
  CompetitionRanks,
  CompetitionRow,
  Leaderboard,
  LeaderboardQuery,
} from '../read-model/routes/competition-routes.js'
import type { Query, RestClient } from './rest-client.js'

/** What a wallet asks of competitions. */
export class ContestReads {
  readonly #rest: RestClient
  readonly #wallet: string

  constructor(rest: RestClient, wallet: string) {
    this.#rest = rest
    this.#wallet = wallet
  }

  /**
   * Competitions, the latest start first.
   * @param query `state`: only those in it.
   * @example
   * const [running] = await client.contests.list({ state: 'active' })
   */
  async list(
    query: Query & { readonly state?: 'pre' | 'active' | 'post' } = {},
  ): Promise<readonly CompetitionRow[]> {
    return (await this.#get<{ data: readonly CompetitionRow[] }>('/competitions', query)).data
  }

  /**
   * A page of a competition's leaderboard, and how this wallet stands in it.
   * @param query without `competition_id` of the one that runs, or has ended last.
   * @throws ApiError `not_found`; `not_ready` while standings are read at a start.
   * @example
   * const { data } = await client.contests.leaderboard({ sort_by: 'volume', limit: 10 })
   */
  leaderboard(query: LeaderboardQuery = {}): Promise<Leaderboard> {
    return this.#get('/leaderboard', { wallet: this.#wallet, ...query })
  }

  /**
   * Rank and value of this wallet by each metric of a competition.
   * @example
   * const { ranks } = await client.contests.ranks()
   */
  async ranks(competitionId?: number): Promise<CompetitionRanks> {
    const query = { wallet: this.#wallet, competition_id: competitionId }
    return (await this.#get<{ data: CompetitionRanks }>('/competition-metric-ranks', query)).data
  }

  #get<Answer>(path: string, query: Query): Promise<Answer> {
    return this.#rest.request('GET', path, { query })
  }
}
