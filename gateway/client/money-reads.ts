import type { Grant, TransferPage } from './answer-types.js'
import type { Directive } from './generated/interface.js'
import type { Query, RestClient } from './rest-client.js'
import { WalletReads } from './wallet-reads.js'

/** Filter of transfers. Separate several values of one filter with commas. */
export interface TransferQuery extends Query {
  readonly transaction_type?: string
  readonly asset?: string
  readonly status?: string
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

/** Deposits and withdrawals of one wallet. */
export class MoneyReads extends WalletReads {
  readonly #rest: RestClient

  constructor(rest: RestClient, wallet: string) {
    super(rest, wallet)
    this.#rest = rest
  }

  /**
   * Grants the wallet paper money, which opens its account. Only on the development preset.
   * @throws RateLimitError if the wallet or client already had a grant in this minute. ApiError `unsupported_endpoint`
   * on other presets, `limit_exceeded` if the faucet opens no more accounts.
   * @example
   * const { amount } = await client.money.faucet()
   */
  faucet(): Promise<Grant> {
    return this.#rest.request('POST', '/faucet', { body: { wallet: this.wallet } })
  }

  /**
   * Returns withdrawals, newest first.
   * @example
   * const [latest] = await client.money.withdrawals(1)
   */
  async withdrawals(limit?: number): Promise<readonly Directive[]> {
    return (await this.getMine('/v1/withdrawals', { limit })).withdrawals
  }

  /**
   * Returns one page of deposits and withdrawals, newest first.
   * @example
   * const { data, page } = await client.money.transfers({ transaction_type: 'deposit' })
   * const next = page.has_more ? await client.money.transfers({ cursor: page.next_cursor! }) : null
   */
  transfers(query: TransferQuery = {}): Promise<TransferPage> {
    return this.getMine('/v1/transfers', query)
  }
}
