import type { MarginMode, SideName } from '../../schemas/wire-types.js'
import type { LiquidationPage, SimulatedOrders } from './answer-types.js'
import type { Answers, RiskGrid } from './generated/interface.js'
import type { RestClient } from './rest-client.js'
import { WalletReads } from './wallet-reads.js'

/** Unsigned order for a simulation. */
export interface TriedOrder {
  readonly symbol: string
  readonly side: SideName
  /** Decimal texts. */
  readonly size: string
  readonly price: string
}

/** Filter of liquidation state changes. */
export type LiquidationQuery = {
  /** Only this wallet. */
  readonly wallet?: string
  readonly status?: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
  readonly margin_mode?: MarginMode
  readonly liquidation_mode?: 'partial' | 'full'
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

/** Reads of a wallet's margin, of order simulations and of liquidations. */
export class RiskReads extends WalletReads {
  readonly #rest: RestClient

  constructor(rest: RestClient, wallet: string) {
    super(rest, wallet)
    this.#rest = rest
  }

  /**
   * Returns the wallet's positions under each scenario of its margin model.
   * @example
   * const { model, underlyings } = await client.risk.grid()
   */
  grid(): Promise<RiskGrid> {
    return this.dataOfMine('/risk/grid')
  }

  /**
   * Tests whether the wallet could place up to ten orders together, and what margin they would need. Places nothing.
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
   * Returns one page of liquidation state changes of all wallets or of one, newest first.
   * @example
   * const { data, page } = await client.risk.liquidations({ liquidation_mode: 'full' })
   */
  liquidations(query: LiquidationQuery = {}): Promise<LiquidationPage> {
    return this.get('/liquidations', query)
  }
}
