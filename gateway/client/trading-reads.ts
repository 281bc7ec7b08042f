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

/** Filter of public trades. */
export type TradeQuery = PageQuery & {
  readonly symbol?: string
  readonly underlying?: string
  /** Only trades of this wallet. */
  readonly account?: string
  readonly after_trade_id?: number
}

/** Reads that traders use most: orders, fills, margin and markets. */
export class TradingReads extends WalletReads {
  /**
   * Returns the current state of one of the wallet's RFQs, with its live quotes, best first.
   * @throws ApiError `not_found`.
   * @example
   * const { status, quotes } = await client.rfq(rfqId)
   */
  rfq(rfqId: string): Promise<RfqRow> {
    return this.getOne('/rfq/', rfqId, { wallet: this.wallet })
  }

  /**
   * Returns the wallet's RFQs, newest first.
   * @example
   * const [latest] = await client.rfqs({ limit: 1 })
   */
  async rfqs(query: PageQuery & { readonly status?: string } = {}): Promise<readonly RfqRow[]> {
    return (await this.getMine('/rfq', query)).rfqs
  }

  /**
   * Returns the wallet's market-maker protections, of all underlyings or one.
   * @example
   * const [btc] = await client.mmpConfigs('BTC')
   */
  mmpConfigs(currency?: string): Promise<readonly MmpConfig[]> {
    return this.dataOfMine('/mmp-config', { currency })
  }

  /**
   * Returns the wallet's settlement payouts, newest first.
   * @example
   * const [latest] = await client.settlementPayouts({ limit: 1 })
   */
  settlementPayouts(
    query: PageQuery & { readonly symbol?: string } = {},
  ): Promise<readonly SettlementPayout[]> {
    return this.dataOfMine('/settlement-payouts', query)
  }

  /**
   * Returns prices, greeks and sizes of the options of all underlyings or one.
   * @example
   * const rows = await client.optionsSummary('BTC')
   */
  async optionsSummary(currency?: string): Promise<readonly OptionSummary[]> {
    return (await this.get('/options-summary', { currency })).result
  }

  /**
   * Returns the book of an instrument, or null if it is not listed.
   * @example
   * const book = await client.orderbook(symbol, 5)
   */
  async orderbook(symbol: string, depth?: number): Promise<Orderbook | null> {
    const query = { instrument_id: symbol, depth }
    return (await this.get('/orderbook', query)).result
  }

  /**
   * Returns positions, equity and margin of the wallet.
   * @example
   * const { equity, positions } = await client.portfolio()
   */
  portfolio(): Promise<Portfolio> {
    return this.dataOfMine('/portfolio')
  }

  /**
   * Returns the wallet's orders, newest first.
   * @example
   * const working = await client.orders({ status: 'open', limit: 50 })
   */
  orders(query: PageQuery & { readonly status?: string } = {}): Promise<readonly Order[]> {
    return this.dataOfMine('/orders', query)
  }

  /**
   * Returns one order by its id or client id, or null.
   * @example
   * const order = await client.orderStatus(String(orderId))
   */
  orderStatus(orderId: string): Promise<Order | null> {
    return this.dataOfMine('/orders/status', { order_id: orderId })
  }

  /**
   * Returns the wallet's fills, newest first.
   * @example
   * const [latest] = await client.fills({ limit: 1 })
   */
  fills(query: PageQuery = {}): Promise<readonly Fill[]> {
    return this.dataOfMine('/fills', query)
  }

  /**
   * Returns public trades, newest first. With `after_trade_id`, which excludes all other filters, oldest first.
   * @example
   * const trades = await client.trades({ symbol, limit: 100 })
   */
  async trades(query: TradeQuery = {}): Promise<readonly Trade[]> {
    return (await this.get('/trades', query)).data
  }

  /**
   * Returns the agents that may sign for the wallet.
   * @example
   * const agents = await client.authorizedAgents()
   */
  async authorizedAgents(): Promise<readonly string[]> {
    return (await this.getMine('/authorized-agents')).agents
  }

  /**
   * Returns the wallet's tier and its limits.
   * @example
   * const { tier, limits } = await client.userTier()
   */
  userTier(): Promise<UserTier> {
    return this.dataOfMine('/user-tier')
  }

  /**
   * Returns the fees of trades, settlements and liquidations.
   * @example
   * const { options } = await client.fees()
   */
  fees(): Promise<FeeSchedule> {
    return this.getMine('/fees')
  }

  /**
   * Returns the liquidation status of a wallet, by default this one. During an auction it contains the terms to bid on.
   * @example
   * const status = await client.liquidationStatus(otherWallet)
   */
  liquidationStatus(wallet = this.wallet): Promise<LiquidationStatus> {
    return this.dataOfMine('/liquidation/status', { wallet })
  }

  /**
   * Returns the wallet's liquidation state changes, newest first.
   * @example
   * const [latest] = await client.liquidationHistory({ limit: 1 })
   */
  liquidationHistory(query: PageQuery = {}): Promise<readonly Liquidation[]> {
    return this.dataOfMine('/liquidation/history', query)
  }

  /**
   * Returns the wallet's self-trade prevention mode.
   * @example
   * const { mode } = await client.selfTradePrevention()
   */
  selfTradePrevention(): Promise<SelfTradePrevention> {
    return this.dataOfMine('/self-trade-prevention')
  }
}
