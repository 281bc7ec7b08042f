import type { PageQuery } from '../../schemas/wire-types.js'
import type { FeeSchedule, LiquidationStatus, RfqRow, SelfTradePrevention } from './answer-types.js'
import type {
  Fill,
  Liquidation,
  MmpConfig,
  OptionSummary,
  Order,
  Orderbook,
  Portfolio,
  SettlementPayout,
  Trade,
  UserTier,
} from './generated/interface.js'
import { WalletReads } from './wallet-reads.js'

/** Which public trades. */
export type TradeQuery = PageQuery & {
  readonly symbol?: string
  readonly underlying?: string
  /** Those of a wallet. */
  readonly account?: string
  readonly after_trade_id?: number
}

/** What a trader looks at most: its own orders, fills and margin, and what it trades in. */
export class TradingReads extends WalletReads {
  /**
   * A request for quote of the wallet as it is now, with its live quotes, the best first.
   * @throws ApiError `not_found`.
   * @example
   * const { status, quotes } = await client.rfq(rfqId)
   */
  rfq(rfqId: string): Promise<RfqRow> {
    return this.getOne('/rfq/', rfqId, { wallet: this.wallet })
  }

  /**
   * The wallet's requests for quote, newest first.
   * @example
   * const [latest] = await client.rfqs({ limit: 1 })
   */
  async rfqs(query: PageQuery & { readonly status?: string } = {}): Promise<readonly RfqRow[]> {
    return (await this.getMine('/rfq', query)).rfqs
  }

  /**
   * The wallet's protections, all or those of one underlying.
   * @example
   * const [btc] = await client.mmpConfigs('BTC')
   */
  mmpConfigs(currency?: string): Promise<readonly MmpConfig[]> {
    return this.dataOfMine('/mmp-config', { currency })
  }

  /**
   * What settlements have paid the wallet, newest first.
   * @example
   * const [latest] = await client.settlementPayouts({ limit: 1 })
   */
  settlementPayouts(
    query: PageQuery & { readonly symbol?: string } = {},
  ): Promise<readonly SettlementPayout[]> {
    return this.dataOfMine('/settlement-payouts', query)
  }

  /**
   * Prices, greeks and sizes of all options, or of one underlying.
   * @example
   * const rows = await client.optionsSummary('BTC')
   */
  async optionsSummary(currency?: string): Promise<readonly OptionSummary[]> {
    return (await this.get('/options-summary', { currency })).result
  }

  /**
   * Book of an instrument, or null when it is not listed.
   * @example
   * const book = await client.orderbook(symbol, 5)
   */
  async orderbook(symbol: string, depth?: number): Promise<Orderbook | null> {
    const query = { instrument_id: symbol, depth }
    return (await this.get('/orderbook', query)).result
  }

  /**
   * Positions, equity and margin of the wallet.
   * @example
   * const { equity, positions } = await client.portfolio()
   */
  portfolio(): Promise<Portfolio> {
    return this.dataOfMine('/portfolio')
  }

  /**
   * The wallet's orders, newest first.
   * @example
   * const working = await client.orders({ status: 'open', limit: 50 })
   */
  orders(query: PageQuery & { readonly status?: string } = {}): Promise<readonly Order[]> {
    return this.dataOfMine('/orders', query)
  }

  /**
   * One order by its id or client id, or null.
   * @example
   * const order = await client.orderStatus(String(orderId))
   */
  orderStatus(orderId: string): Promise<Order | null> {
    return this.dataOfMine('/orders/status', { order_id: orderId })
  }

  /**
   * The wallet's fills, newest first.
   * @example
   * const [latest] = await client.fills({ limit: 1 })
   */
  fills(query: PageQuery = {}): Promise<readonly Fill[]> {
    return this.dataOfMine('/fills', query)
  }

  /**
   * Public trades, newest first; behind `after_trade_id`, which no other filter goes with, oldest first.
   * @example
   * const trades = await client.trades({ symbol, limit: 100 })
   */
  async trades(query: TradeQuery = {}): Promise<readonly Trade[]> {
    return (await this.get('/trades', query)).data
  }

  /**
   * Agents that may sign for the wallet.
   * @example
   * const agents = await client.authorizedAgents()
   */
  async authorizedAgents(): Promise<readonly string[]> {
    return (await this.getMine('/authorized-agents')).agents
  }

  /**
   * Tier of the wallet, and its limits.
   * @example
   * const { tier, limits } = await client.userTier()
   */
  userTier(): Promise<UserTier> {
    return this.dataOfMine('/user-tier')
  }

  /**
   * What is paid of trades, settlements and liquidations.
   * @example
   * const { options } = await client.fees()
   */
  fees(): Promise<FeeSchedule> {
    return this.getMine('/fees')
  }

  /**
   * Where a wallet stands in liquidation, this one if no other is named; of one in auction: the terms to bid on.
   * @example
   * const status = await client.liquidationStatus(otherWallet)
   */
  liquidationStatus(wallet = this.wallet): Promise<LiquidationStatus> {
    return this.dataOfMine('/liquidation/status', { wallet })
  }

  /**
   * The wallet's changes of liquidation state, newest first.
   * @example
   * const [latest] = await client.liquidationHistory({ limit: 1 })
   */
  liquidationHistory(query: PageQuery = {}): Promise<readonly Liquidation[]> {
    return this.dataOfMine('/liquidation/history', query)
  }

  /**
   * What becomes of the wallet's own orders that would meet.
   * @example
   * const { mode } = await client.selfTradePrevention()
   */
  selfTradePrevention(): Promise<SelfTradePrevention> {
    return this.dataOfMine('/self-trade-prevention')
  }
}
