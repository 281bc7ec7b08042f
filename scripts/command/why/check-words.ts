import type { SeenCheck } from '../../../engine/core/orders/explain-order.js'
import { AdmissionCheck, type CheckUnit } from '../../../engine/risk/admission-trace.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { Result } from '../../../schemas/results.js'
import { timeText } from '../inspect/view.js'

/** Description of a check, and of the change with which a failed order would pass it. */
interface CheckWords {
  readonly asks: string
  readonly passes: (seen: SeenCheck) => string
}

const words: Readonly<Record<AdmissionCheck, CheckWords>> = {
  [AdmissionCheck.Signer]: {
    asks: 'the wallet or an approved agent signed',
    passes: () => 'a signature by the wallet or an approved agent',
  },
  [AdmissionCheck.Account]: {
    asks: 'the wallet has an account',
    passes: () => 'a first deposit to the wallet',
  },
  [AdmissionCheck.Nonce]: {
    asks: 'the nonce is new',
    passes: () => 'a nonce that the wallet and its agents have not used',
  },
  [AdmissionCheck.PerpTerms]: {
    asks: 'the action has not expired',
    passes: () => 'a later expiresAfter, or none',
  },
  [AdmissionCheck.OpenOrders]: {
    asks: "working orders within the tier's limit",
    passes: (seen) => `${excess(seen)} fewer working orders, or a tier with a higher limit`,
  },
  [AdmissionCheck.Positions]: {
    asks: "positions within the tier's limit",
    passes: (seen) => `${excess(seen)} fewer positions, or a tier with a higher limit`,
  },
  [AdmissionCheck.Halt]: {
    asks: 'the underlying is not halted',
    passes: () => 'the end of the halt',
  },
  [AdmissionCheck.ReplacedOrder]: {
    asks: 'the order to replace is working',
    passes: () => 'the id of a working order of the wallet, in the same instrument',
  },
  [AdmissionCheck.Instrument]: {
    asks: 'the instrument is listed, active, and has a book',
    passes: () => 'a listed instrument that has not expired',
  },
  [AdmissionCheck.Route]: {
    asks: 'the route is supported',
    passes: () => 'another route; book_only is always supported',
  },
  [AdmissionCheck.ClientId]: {
    asks: 'no working order has the client id',
    passes: () => 'another client id, or the end of the working order that has it',
  },
  [AdmissionCheck.Protection]: {
    asks: 'market-maker protection is not frozen',
    passes: ({ numbers }) => `the end of the freeze, ${untilText(numbers?.needs ?? 0)}, or a reset`,
  },
  [AdmissionCheck.ReduceOnly]: {
    asks: 'reduce-only orders close no more than the position',
    passes: () =>
      'a position on the other side that is as large as all reduce-only orders of this one',
  },
  [AdmissionCheck.WalletLimits]: {
    asks: "the wallet's totals stay within their limits",
    passes: () => 'a smaller size, or a lower price',
  },
  [AdmissionCheck.BookLimit]: {
    asks: "the book's totals stay within their limits",
    passes: () => 'a smaller size',
  },
  [AdmissionCheck.Funds]: {
    asks: 'the wallet has cash',
    passes: (seen) => `${missing(seen)} USD more cash`,
  },
  [AdmissionCheck.Tier]: {
    asks: 'the tier allows short positions',
    passes: ({ numbers }) =>
      `a size within the long position (${amount(numbers)}), or another tier`,
  },
  [AdmissionCheck.Liquidation]: {
    asks: 'the wallet is not in liquidation',
    passes: () => 'the end of the liquidation',
  },
  [AdmissionCheck.IndexPrice]: {
    asks: 'index prices are present and fresh',
    passes: () =>
      'index prices of its underlying, and of all underlyings in which the wallet has positions',
  },
  [AdmissionCheck.PriceBand]: {
    asks: 'the price is within the band',
    passes: ({ numbers }) =>
      `a price of ${numbers === null ? 'an instrument with a mark' : bound(numbers)}`,
  },
  [AdmissionCheck.Cash]: {
    asks: 'cash covers the working buy orders',
    passes: (seen) => `${missing(seen)} USD more cash`,
  },
  [AdmissionCheck.NakedShorts]: {
    asks: 'long positions cover all short positions',
    passes: ({ numbers }) =>
      `long positions for ${formatLots(numbers?.has ?? 0)} uncovered contracts`,
  },
  [AdmissionCheck.MarkPrice]: {
    asks: 'the required mark prices are present',
    passes: () =>
      'mark prices of its instrument, and of all instruments in which the wallet is short',
  },
  [AdmissionCheck.Margin]: {
    asks: 'equity covers initial margin including the order',
    passes: (seen) => `${missing(seen)} USD more equity`,
  },
  [AdmissionCheck.Book]: {
    asks: 'the book accepts the order',
    passes: ({ result }) => {
      const trades = result === Result.PostOnlyWouldTrade
      return trades
        ? 'a price that does not trade on arrival'
        : 'a later attempt: the batch changed the book'
    },
  },
}

/** Returns the name of a check in snake_case. */
export function nameOf(check: AdmissionCheck): string {
  const [name] = Object.entries(AdmissionCheck).find(([, number]) => number === check)!
  return snakeOf(name)
}

export function snakeOf(name: string): string {
  return name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

export function asksOf(check: AdmissionCheck): string {
  return words[check].asks
}

/** Describes the change with which the order would have passed a failed check. */
export function neededFor(seen: SeenCheck): string {
  return words[seen.check].passes(seen)
}

/** Formats a number of a check in its unit. */
export function numberText(unit: CheckUnit, value: number): string {
  if (unit === 'micros') return formatMicros(value)
  if (unit === 'lots') return formatLots(value)
  return unit === 'millis' ? untilText(value) : String(value)
}

/** Formats the bound that a check compares `has` with. */
export function bound({ limit, needs, unit }: NonNullable<SeenCheck['numbers']>): string {
  const texts = [
    ...(needs === undefined ? [] : [`at least ${numberText(unit, needs)}`]),
    ...(limit === undefined ? [] : [`at most ${numberText(unit, limit)}`]),
  ]
  return texts.join(', ')
}

function missing({ numbers }: SeenCheck): string {
  const { has = 0, needs = has } = numbers ?? {}
  return formatMicros(Math.max(0, needs - has))
}

function excess({ numbers }: SeenCheck): number {
  return (numbers?.has ?? 0) - (numbers?.limit ?? 0)
}

function amount(numbers: SeenCheck['numbers']): string {
  return formatLots(numbers?.limit ?? 0)
}

function untilText(millis: number): string {
  return Number.isFinite(millis) ? timeText(millis) : 'a reset'
}
