import { Side } from '../../../schemas/domain.js'
import type { PricedLeg } from '../../../schemas/net-premium.js'
import { readProjectJson } from '../../support/project.js'

/** A leg as the vectors write one: amounts are decimal texts, or numbers. */
interface LegVector {
  readonly side: 'Buy' | 'Sell'
  readonly size: string | number
  readonly price?: string
  readonly mark?: number
}

interface Vectors {
  readonly rfq: {
    readonly net_premium: readonly {
      readonly id: string
      readonly legs: readonly LegVector[]
      readonly net_premium: string
    }[]
    readonly eligible: readonly {
      readonly id: string
      readonly direction: 'buy' | 'sell'
      readonly limit_price: string
      readonly bound: string
      readonly net_premium: string
      readonly eligible: boolean
    }[]
    readonly firm_quote: readonly {
      readonly id: string
      readonly legs: readonly LegVector[]
      readonly net_premium: string
      readonly stored_net_premium: string
      readonly consistent: boolean
    }[]
    readonly leg_allocation: readonly {
      readonly id: string
      readonly net_premium: number
      readonly legs: readonly LegVector[]
      readonly leg_prices: readonly number[]
      readonly net_check: number
    }[]
    readonly fallback_price: readonly {
      readonly id: string
      readonly side: 'Buy' | 'Sell'
      readonly limit_price: string
      readonly size: string
      readonly order_price: string
    }[]
    readonly rpi: readonly {
      readonly id: string
      readonly side: 'Buy' | 'Sell'
      readonly size: number
      readonly limit: number
      readonly min_improvement_tick: number
      /** Price and size of levels of the other side, the best first. */
      readonly opposite: readonly (readonly [price: number, size: number])[]
      readonly quotes: readonly { provider: string; size: number; price: number }[]
      readonly reference_price: number
      readonly worst_eligible_price: number
      readonly eligible_in_order: readonly string[]
    }[]
  }
}

export const { rfq: rfqVectors } = readProjectJson<Vectors>('test/vectors/options.json')

/** A decimal in units of 10^-decimals, toward zero. */
export function unitsOf(amount: string | number, decimals: number): number {
  const [whole, fraction = ''] = String(amount).split('.')
  const digits = (whole! + fraction.padEnd(decimals, '0').slice(0, decimals)).replace('-', '')
  return (String(amount).startsWith('-') ? -1 : 1) * Number(digits) + 0
}

export const microsOf = (amount: string | number): number => unitsOf(amount, 6)
export const lotsOf = (amount: string | number): number => unitsOf(amount, 8)

export function legOf({ side, size, price, mark }: LegVector): PricedLeg {
  return {
    side: side === 'Buy' ? Side.Buy : Side.Sell,
    sizeLots: lotsOf(size),
    priceMicros: microsOf(price ?? mark ?? 0),
  }
}
