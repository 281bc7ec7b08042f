import type { PageQuery } from '../../schemas/wire-types.js'
import type { ReferralCode, ReferredRow } from './answer-types.js'
import { WalletReads } from './wallet-reads.js'

/** Reads of a wallet's referrals. `client.account` sets codes and referrers. */
export class ReferralReads extends WalletReads {
  /**
   * Returns the wallet's own code, or null.
   * @example
   * const code = await client.referrals.code()
   */
  async code(): Promise<string | null> {
    return (await this.getMine('/referrals/code'))?.code ?? null
  }

  /**
   * Returns the owner of a code.
   * @throws ApiError `not_found`.
   * @example
   * const { owner_wallet: referrer } = await client.referrals.ownerOf(code)
   * await client.account.setReferrer({ code, referrer })
   */
  ownerOf(code: string): Promise<ReferralCode> {
    return this.getOne('/referrals/code/', code)
  }

  /**
   * Returns the wallet's referrer, or null.
   * @example
   * const referrer = await client.referrals.referrer()
   */
  async referrer(): Promise<string | null> {
    return (await this.getMine('/referrals/binding')).referrer_wallet
  }

  /**
   * Returns the wallets that this wallet referred, latest first, with their trading volume.
   * @example
   * const [latest] = await client.referrals.referred({ limit: 1 })
   */
  referred(query: PageQuery = {}): Promise<readonly ReferredRow[]> {
    return this.dataOfMine('/referrals/referred', query)
  }
}
