import type { DirectiveRow, TransferRow } from '../read-model/history/directive-query.js'
import type { Query, RestClient } from './rest-client.js'

/** Which transfers; several values of one filter with commas between them. */
export interface TransferQuery extends Query {
  readonly transaction_type?: string
  readonly asset?: string
  readonly status?: string
  readonly limit?: number
  /** `next_cursor` of the page before. */
  readonly cursor?: string
}

export interface TransferPage {
  readonly data: readonly TransferRow[]
  readonly page: {
    readonly limit: number
    readonly next_cursor: string | null
    readonly has_more: boolean
  }
}

/** Deposits, withdrawals and directives of one wallet. */
export class MoneyReads {
  readonly #rest: RestClient
  readonly #walletOf: () => string

  constructor(rest: RestClient, walletOf: () => string) {
    this.#rest = rest
    this.#walletOf = walletOf
  }

  /**
   * Withdrawals, newest first.
   * @example
   * const { directive_id } = await owner.account.withdrawUsdc({ account, destination, amount: '25' })
   * const [latest] = await owner.money.withdrawals()
   */
  async withdrawals(limit?: number): Promise<readonly DirectiveRow[]> {
    const query = { wallet: this.#walletOf(), limit }
    const answer = await this.#get<{ withdrawals: readonly DirectiveRow[] }>(
      '/v1/withdrawals',
      query,
    )
    return answer.withdrawals
  }

  /** What a directive has come to, by the id that its answer told. @throws ClientError `not_found` */
  directive(id: string): Promise<DirectiveRow> {
    return this.#get(`/v1/directives/${id}`, {})
  }

  /** Deposits and withdrawals, newest first, page by page. */
  transfers(query: TransferQuery = {}): Promise<TransferPage> {
    return this.#get('/v1/transfers', { wallet: this.#walletOf(), ...query })
  }

  #get<Answer>(path: string, query: Query): Promise<Answer> {
    return this.#rest.request('GET', path, { query })
  }
}
