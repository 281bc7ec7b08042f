import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import {
  type FundingParameters,
  fundingParametersDefault,
} from '../../engine/state/market/funding-parameters.js'
import { Fund } from '../../engine/state/money/funds.js'
import { neverMillis, Right } from '../../schemas/domain.js'
import { EventType } from '../../schemas/generated/events.js'
import { AccountChange } from '../../schemas/record-values.js'
import type { RigMemory } from './core-rig.js'
import { LiquidationRig, still } from './liquidation-rig.js'
import type { RigInstrument } from './rig-commands.js'
import type { RigEvent } from './rig-event.js'

export const minute = 60_000
export const hour = 60 * minute

export const perp: RigInstrument = {
  underlying: 'BTC',
  expiryDate: 0,
  strike: 0,
  right: Right.None,
}
/** Id of the perp; 0 is an option. */
export const perpId = 1

/**
 * Returns a configuration in which the index never becomes stale, with funding under these parameters, by default on.
 */
export function funded(parameters: Partial<FundingParameters> = {}): EngineConfig {
  const perpFunding = { ...fundingParametersDefault, enabled: true, ...parameters }
  return { ...still, perpFunding }
}

/** Returns a configuration in which the index is missing once it is 90 seconds old. */
export function fundedWithAge(): EngineConfig {
  const pricing = { ...engineConfigDefault.pricing, indexMaxAgeMillis: 90_000 }
  return { ...funded(), pricing }
}

/** Core with a perp at index 100,000, whose clock is at the start of an hour. Wallets 3 and 4 quote. */
export class FundingRig extends LiquidationRig {
  constructor(config: EngineConfig = funded(), memory: RigMemory = {}) {
    super(config, 1, memory)
  }

  /** Lists the perp. If the size is above 0, wallet 1 buys it from wallet 2. */
  openPerp(size = '2'): this {
    this.openMarket()
    this.outcome(this.list(perp, neverMillis))
    if (size !== '0') this.trade(1, 2, '100000', size, { instrument: perp })
    this.events()
    return this
  }

  /** Places a bid of wallet 3 and an ask of wallet 4, just enough to set the book's price; '' leaves one out. */
  quote(bid: string, ask: string, size = '0.12'): this {
    const order = { size, instrument: perp } as const
    if (bid !== '') this.place({ ...order, wallet: 3, side: 'Buy', price: bid })
    if (ask !== '') this.place({ ...order, wallet: 4, side: 'Sell', price: ask })
    return this.run()
  }

  cancelAll(): this {
    const { orders } = this.state
    for (let slot = orders.firstOf(perpId); slot >= 0; slot = orders.nextInInstrument[slot]!) {
      const account = orders.account[slot]!
      const wallet = [3, 4].find((one) => this.account(one) === account)!
      this.cancel(wallet, orders.orderId[slot]!)
    }
    return this.run()
  }

  /** Lets minutes pass, with at least one batch at each. */
  minutes(count: number): this {
    for (let i = 0; i < count; i++) {
      this.nowMillis += minute
      this.run()
    }
    return this
  }

  get dustMicros(): number {
    return this.state.funds.balanceMicros[Fund.Dust]!
  }

  get clearingMicros(): number {
    return this.state.funds.balanceMicros[Fund.Clearing]!
  }
}

/** Returns the events of the perps' periods. */
export function roundsOf(seen: readonly RigEvent[]): Readonly<Record<string, number>>[] {
  return seen.filter(({ type }) => type === EventType.Funding).map(({ fields }) => fields)
}

/** Returns the funding payments by account, in USD, in the order of publication. */
export function paymentsOf(seen: readonly RigEvent[]): [account: number, usd: number][] {
  return seen
    .filter(
      ({ type, fields }) =>
        type === EventType.Account && fields['change'] === AccountChange.Funding,
    )
    .map(({ fields }) => [fields['account']!, fields['delta']!])
}
