import type { MarginMode, SideName } from '../../schemas/wire-types.js'
import type { LiquidationPage, SimulatedOrders } from './answer-types.js'
import type { Answers, RiskGrid } from './generated/interface.js'
import type { RestClient } from './rest-client.js'
import { WalletReads } from './wallet-reads.js'

/** An order as it is tried: nothing of it is signed. */
export interface TriedOrder {
  readonly symbol: string
  readonly side: SideName
  /** Decimal texts. */
  readonly size: string
  readonly price: string
}

/** Which changes of liquidation state. */
export type LiquidationQuery = {
  /** Of this wallet alone. */
  readonly wallet?: string
  readonly status?: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
  readonly margin_mode?: MarginMode
  readonly liquidation_mode?: 'partial' | 'full'
  readonly limit?: number
  /** `next_cursor` of the page before. */
  readonly cursor?: string
}

/** What a wallet's margin is made of, what orders would take of it, and who was liquidated. */
export class RiskReads extends WalletReads {
  readonly #rest: RestClient

  constructor(rest: RestClient, wallet: string) {
    super(rest, wallet)
    this.#rest = rest
  }

  /**
   * The wallet's positions under each scenario of its margin model.
   * @example
   * const { model, underlyings } = await client.risk.grid()
   */
  grid(): Promise<RiskGrid> {
    return this.dataOfMine('/risk/grid')
  }

  /**
   * Whether the wallet could place these orders together (up to ten), and what margin they would take; nothing is placed.
   * @example
   * const order = { symbol, side: 'Buy', size: '1', price: '250' } as const
   * const { admissible, rejection_reason } = await client.risk.simulateOrders([order])
   */
  async simulateOrders(orders: readonly TriedOrder[]): Promise<SimulatedOrders> {
    const body = { wallet: this.wallet, orders }
    type Answer = Answers['POST /risk/simulate/orders']
    return (await this.#rest.request<Answer>('POST', '/risk/simulate/orders', { body })).data
  }

  /**
   * Changes of liquidation state of all wallets, or of one, newest first, page by page.
   * @example
   * const { data, page } = await client.risk.liquidations({ liquidation_mode: 'full' })
   */
  liquidations(query: LiquidationQuery = {}): Promise<LiquidationPage> {
    return this.get('/liquidations', query)
  }
}
