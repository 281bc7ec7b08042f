import type { PageQuery, SpanQuery } from '../../schemas/wire-types.js'
import type { HistoricalPnl, Profile, RealizedPnlRow, Username } from './answer-types.js'
import type { Fill } from './generated/interface.js'
import { WalletReads } from './wallet-reads.js'

/** What a wallet has earned, and what it is called. */
export class ProfileReads extends WalletReads {
  /**
   * What the wallet has and has earned, and what it is shown as.
   * @example
   * const { username, pnl } = await client.profile.read()
   */
  read(): Promise<Profile> {
    return this.dataOfMine('/profile')
  }

  /**
   * The wallet's fills of a symbol or a span, newest first; the span's end is the first millisecond behind it.
   * @example
   * const fills = await client.profile.trades({ symbol, from_ts_ms: Date.now() - 3_600_000 })
   */
  trades(
    query: PageQuery & SpanQuery & { readonly symbol?: string } = {},
  ): Promise<readonly Fill[]> {
    return this.dataOfMine('/profile/trades', query)
  }

  /**
   * What the wallet has realized, fees taken off, by symbol; `funding`, `liquidation` and `builder_fees` are of none.
   * @example
   * const rows = await client.profile.realizedPnl({ from_ts_ms: Date.now() - 3_600_000 })
   */
  realizedPnl(
    query: SpanQuery & { readonly competition_id?: number } = {},
  ): Promise<readonly RealizedPnlRow[]> {
    return this.dataOfMine('/profile/realized-pnl', query)
  }

  /**
   * Equity and net deposits at borders of time, oldest first, and by symbol what they are made of where that is asked
   * for: position, entry price, realized, unrealized, total.
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
   * The name that the wallet has chosen.
   * @throws ApiError `not_found` where it has none.
   * @example
   * await client.account.submitUsernameRequest({ requestedUsername: 'gamma_ray' })
   * const { username } = await client.profile.username()
   */
  username(): Promise<Username> {
    return this.getMine('/username')
  }
}
