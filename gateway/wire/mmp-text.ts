import { formatMicros } from '../../schemas/decimal.js'
import type { MmpConfig } from '../../schemas/interface/account.js'

const sumMicrosMax = Number.MAX_SAFE_INTEGER

/** MMP configuration for answers. Amounts in micros; a limit of 0 means none. */
export interface MmpConfigFacts {
  readonly wallet: string
  readonly currency: string
  readonly intervalMillis: number
  readonly frozenMillis: number
  /** Quantity, delta, vega. */
  readonly limitMicros: ArrayLike<number>
  /** Decimal text. */
  readonly nonce: string
  /** 0: not frozen; Infinity: until a reset. */
  readonly frozenUntilMillis: number
  /** Quantity, delta, vega; signed. */
  readonly windowMicros: readonly number[]
}

/**
 * Formats a configuration as JSON. `frozen` (our extension) distinguishes the two meanings of `frozen_until_ms: null`:
 * not frozen, and frozen until a reset.
 */
export function mmpConfigJson(facts: MmpConfigFacts): MmpConfig {
  const { limitMicros, frozenUntilMillis, windowMicros } = facts
  const limit = (measure: number) =>
    limitMicros[measure] === 0 ? null : formatMicros(limitMicros[measure]!)
  // A measure without a limit may exceed the range of exact numbers.
  const sum = (measure: number) =>
    formatMicros(Math.max(-sumMicrosMax, Math.min(sumMicrosMax, windowMicros[measure]!)))
  const nonce = Number(facts.nonce)
  const hasEnd = frozenUntilMillis > 0 && Number.isFinite(frozenUntilMillis)
  return {
    wallet_address: facts.wallet,
    currency: facts.currency,
    interval_ms: facts.intervalMillis,
    frozen_time_ms: facts.frozenMillis,
    qty_limit: limit(0),
    delta_limit: limit(1),
    vega_limit: limit(2),
    enabled: true,
    nonce: Number.isSafeInteger(nonce) ? nonce : facts.nonce,
    frozen: frozenUntilMillis > 0,
    frozen_until_ms: hasEnd ? frozenUntilMillis : null,
    window: { qty: sum(0), delta: sum(1), vega: sum(2) },
  }
}
