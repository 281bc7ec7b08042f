import type {
  PageQuery,
  ReferralCodeAnswer,
  ReferredRow,
  ReferrerAnswer,
} from '../wire/wire-types.js'
import type { Query, RestClient } from './rest-client.js'

/** What is known of a wallet's referrals; codes and referrers are set by `client.account`. */
export class ReferralReads {
  readonly #rest: RestClient
  readonly #wallet: string

  constructor(rest: RestClient, wallet: string) {
    this.#rest = rest
    this.#wallet = wallet
  }

  /**
   * The wallet's own code, or null.
   * @example
   * const code = await client.referrals.code()
   */
  async code(): Promise<string | null> {
    return (await this.#mine<ReferralCodeAnswer | null>('/referrals/code'))?.code ?? null
  }

  /**
   * Whose code it is.
   * @throws ApiError `not_found`.
   * @example
   * const { owner_wallet: referrer } = await client.referrals.ownerOf('FRIENDS')
   * await client.account.setReferrer({ code: 'FRIENDS', referrer })
   */
  ownerOf(code: string): Promise<ReferralCodeAnswer> {
    return this.#rest.request('GET', `/referrals/code/${encodeURIComponent(code)}`)
  }

  /**
   * Who has brought the wallet here, or null.
   * @example
   * const referrer = await client.referrals.referrer()
   */
  async referrer(): Promise<string | null> {
    type Binding = { readonly [Name in keyof ReferrerAnswer]: string | null }
    return (await this.#mine<Binding>('/referrals/binding')).referrer_wallet
  }

  /**
   * Whom the wallet has brought here, the latest first, with what they have traded.
   * @example
   * const [latest] = await client.referrals.referred({ limit: 1 })
   */
  async referred(query: PageQuery = {}): Promise<readonly ReferredRow[]> {
    return (await this.#mine<{ data: readonly ReferredRow[] }>('/referrals/referred', query)).data
  }

  #mine<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#rest.request('GET', path, { query: { wallet: this.#wallet, ...query } })
  }
}
