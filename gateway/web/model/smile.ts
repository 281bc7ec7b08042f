import type { ChainLeg, Right, Strike } from './option-chain.js'

/** Values of one option from which smiles are drawn. */
export interface Quoted {
  readonly symbol: string
  readonly strike: number
  readonly right: 'call' | 'put'
  /** Unix milliseconds. */
  readonly expiry: number
  readonly index: number
  /** Fractions; 0: unknown. */
  readonly markIv: number
  readonly bidIv: number | null
  readonly askIv: number | null
}

/** Implied volatility of one expiry over strikes. */
export interface Smile {
  readonly expiry: number
  readonly strikes: readonly number[]
  /** Strikes as fractions above or below the index. */
  readonly distances: readonly number[]
  readonly mark: readonly (number | null)[]
  readonly bid: readonly (number | null)[]
  readonly ask: readonly (number | null)[]
}

/** Returns both options of a strike. @param index price of the underlying in USD. */
export function quotedOf(
  { expiry, strike }: Strike,
  legs: Readonly<Record<Right, ChainLeg | null>>,
  index: number,
): readonly Quoted[] {
  return (['call', 'put'] as const).flatMap((right) => {
    const leg = legs[right]
    if (leg === null) return []
    const { symbol, mark_iv: markIv, bid_iv: bidIv, ask_iv: askIv } = leg
    return [
      { symbol, strike, right, expiry: expiry * 1000, index, markIv: markIv ?? 0, bidIv, askIv },
    ]
  })
}

/** Returns the smiles by expiry, soonest first. Each strike uses its out-of-the-money option, which is the traded one. */
export function smilesOf(quoted: readonly Quoted[]): readonly Smile[] {
  const expiries = [...new Set(quoted.map(({ expiry }) => expiry))].sort((one, two) => one - two)
  return expiries.map((expiry) => {
    const rows = quoted
      .filter((row) => row.expiry === expiry && row.markIv > 0)
      .filter(({ right, strike, index }) => (right === 'call') === strike >= index)
      .sort((one, two) => one.strike - two.strike)
    return {
      expiry,
      strikes: rows.map(({ strike }) => strike),
      distances: rows.map(({ strike, index }) => strike / index - 1),
      mark: rows.map(({ markIv }) => markIv),
      bid: rows.map(({ bidIv }) => bidIv || null),
      ask: rows.map(({ askIv }) => askIv || null),
    }
  })
}

/** Interpolates the volatility at a distance from the index; null without strikes on both sides. */
export function volatilityAt({ distances, mark }: Smile, distance: number): number | null {
  const above = distances.findIndex((each) => each >= distance)
  if (above < 0) return null
  const [right, high] = [distances[above]!, mark[above] ?? null]
  if (right === distance) return high
  const [left, low] = [distances[above - 1], mark[above - 1] ?? null]
  if (left === undefined || low === null || high === null) return null
  return low + ((high - low) * (distance - left)) / (right - left)
}

/** Returns all smiles over the same ascending distances, for one chart. */
export function smilesTogether(smiles: readonly Smile[]) {
  const all = new Set(smiles.flatMap(({ distances }) => distances))
  const distances = [...all].sort((one, two) => one - two)
  const curves = smiles.map((smile) => {
    const marks = new Map(smile.distances.map((distance, place) => [distance, smile.mark[place]!]))
    return distances.map((distance) => marks.get(distance) ?? null)
  })
  return { distances, curves }
}
