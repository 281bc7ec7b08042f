import type { PageQuery } from '../../schemas/wire-types.js'
import type { ReferralCode, ReferredRow } from './answer-types.js'
import { WalletReads } from './wallet-reads.js'

/** What is known of a wallet's referrals; codes and referrers are set by `client.account`. */
export class ReferralReads extends WalletReads {
  /**
   * The wallet's own code, or null.
   * @example
   * const code = await client.referrals.code()
   */
  async code(): Promise<string | null> {
    return (await this.getMine('/referrals/code'))?.code ?? null
  }

  /**
   * Whose code it is.
   * @throws ApiError `not_found`.
   * @example
   * const { owner_wallet: referrer } = await client.referrals.ownerOf(code)
   * await client.account.setReferrer({ code, referrer })
   */
  ownerOf(code: string): Promise<ReferralCode> {
    return this.getOne('/referrals/code/', code)
  }

  /**
   * Who has brought the wallet here, or null.
   * @example
   * const referrer = await client.referrals.referrer()
   */
  async referrer(): Promise<string | null> {
    return (await this.getMine('/referrals/binding')).referrer_wallet
  }

  /**
   * Whom the wallet has brought here, the latest first, with what they have traded.
   * @example
   * const [latest] = await client.referrals.referred({ limit: 1 })
   */
  referred(query: PageQuery = {}): Promise<readonly ReferredRow[]> {
    return this.dataOfMine('/referrals/referred', query)
  }
}
