import { microsPerUsd } from '../../../schemas/bounds.js'
import { readProjectJson } from '../../support/project.js'

/** Observations at regular intervals, in milliseconds since the window's begin. */
interface Segment {
  readonly from_ms: number
  readonly every_ms: number
  readonly count: number
  readonly start: string
  readonly step: string
}

export interface PriceVector {
  readonly id: string
  readonly name: string
  readonly segments?: readonly Segment[]
  readonly observations?: readonly (readonly [number, string])[]
  /** Null means no limit; absent means the default. */
  readonly max_carry_ms?: number | null
  readonly outcome: 'price' | 'pending'
  readonly valid_samples: number
  readonly twap?: string
  readonly trimmed_median_of_means?: string
}

interface PayoutVector {
  readonly id: string
  readonly right: 'call' | 'put'
  readonly strike: string
  readonly settlement_price: string
  readonly size: string
  readonly payoff_per_contract: string
  readonly settlement_value: string
}

interface DustVector {
  readonly right: 'call' | 'put'
  readonly strike: string
  readonly settlement_price: string
  readonly sizes: readonly string[]
  readonly settlement_values: readonly string[]
  readonly dust_account: string
}

export interface FeeVector {
  readonly id: string
  readonly kind: string
  readonly index_price: string
  readonly premium: string
  readonly size: string
  readonly fee: string
}

interface Vectors {
  readonly settlement: {
    readonly price: readonly PriceVector[]
    readonly payout: readonly PayoutVector[]
    readonly dust: readonly DustVector[]
  }
  readonly fees: readonly FeeVector[]
}

export const { settlement: settlementVectors, fees: feeVectors } = readProjectJson<Vectors>(
  'test/vectors/options.json',
)

/** Milliseconds since the window's begin, and micros. */
export interface Observed {
  readonly millis: number
  readonly micros: number
}

/** Returns all observations of a vector, in order of time. */
export function observationsOf(vector: PriceVector): Observed[] {
  const single = (vector.observations ?? []).map(
    ([millis, price]): Observed => ({ millis, micros: microsOf(price) }),
  )
  const regular = (vector.segments ?? []).flatMap((segment) =>
    Array.from({ length: segment.count }, (_, i): Observed => {
      const micros = microsOf(segment.start) + i * microsOf(segment.step)
      return { millis: segment.from_ms + i * segment.every_ms, micros }
    }),
  )
  return [...single, ...regular]
}

/** Returns decimal text as micros, with its sign. */
export function microsOf(text: string): number {
  return Math.round(Number(text) * microsPerUsd) + 0
}

/** Returns decimal text as lots, with its sign. */
export function lotsOf(text: string): number {
  return Math.round(Number(text) * 1e8)
}
