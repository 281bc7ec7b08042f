import type { DirectiveRow, TransferRow } from '../read-model/history/directive-query.js'
import type { Query } from './rest-client.js'
import { WalletReads } from './wallet-reads.js'

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

/** Deposits and withdrawals of one wallet. */
export class MoneyReads extends WalletReads {
  /**
   * Withdrawals, newest first.
   * @example
   * const { directive_id } = await owner.account.withdrawUsdc({ account, destination, amount: '25' })
   * const [latest] = await owner.money.withdrawals()
   */
  async withdrawals(limit?: number): Promise<readonly DirectiveRow[]> {
    type Withdrawals = { readonly withdrawals: readonly DirectiveRow[] }
    return (await this.getMine<Withdrawals>('/v1/withdrawals', { limit })).withdrawals
  }

  /** Deposits and withdrawals, newest first, page by page. */
  transfers(query: TransferQuery = {}): Promise<TransferPage> {
    return this.getMine('/v1/transfers', query)
  }
}
