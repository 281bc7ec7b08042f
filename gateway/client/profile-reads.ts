import type { PageQuery, SpanQuery } from '../../schemas/wire-types.js'
import type { HistoricalPnl, Profile, RealizedPnlRow, Username } from './answer-types.js'
import type { Fill } from './generated/interface.js'
import { WalletReads } from './wallet-reads.js'

/** Reads of a wallet's profile, earnings and username. */
export class ProfileReads extends WalletReads {
  /**
   * Returns the wallet's balances, earnings and display name.
   * @example
   * const { username, pnl } = await client.profile.read()
   */
  read(): Promise<Profile> {
    return this.dataOfMine('/profile')
  }

  /**
   * Returns the wallet's fills, by symbol or time range, newest first. `to_ts_ms` is exclusive.
   * @example
   * const fills = await client.profile.trades({ symbol, from_ts_ms: Date.now() - 3_600_000 })
   */
  trades(
    query: PageQuery & SpanQuery & { readonly symbol?: string } = {},
  ): Promise<readonly Fill[]> {
    return this.dataOfMine('/profile/trades', query)
  }

  /**
   * Returns the wallet's realized PnL net of fees, by symbol. Rows `funding`, `liquidation` and `builder_fees` have no
   * symbol.
   * @example
   * const rows = await client.profile.realizedPnl({ from_ts_ms: Date.now() - 3_600_000 })
   */
  realizedPnl(
    query: SpanQuery & { readonly competition_id?: number } = {},
  ): Promise<readonly RealizedPnlRow[]> {
    return this.dataOfMine('/profile/realized-pnl', query)
  }

  /**
   * Returns equity and net deposits at interval boundaries, oldest first. With `include_attribution` also per symbol:
   * position, entry price, realized, unrealized, total.
   * @example
   * const { points } = await client.profile.historicalPnl({ interval: '1h', limit: 24 })
   */
  historicalPnl(
    query: {
      readonly interval?: '5m' | '1h' | '1d'
      readonly limit?: number
      readonly include_attribution?: boolean
    } = {},
  ): Promise<HistoricalPnl> {
    return this.dataOfMine('/profile/historical-pnl', query)
  }

  /**
   * Returns the wallet's username.
   * @throws ApiError `not_found` if it has none.
   * @example
   * await client.account.submitUsernameRequest({ requestedUsername: 'gamma_ray' })
   * const { username } = await client.profile.username()
   */
  username(): Promise<Username> {
    return this.getMine('/username')
  }
}
