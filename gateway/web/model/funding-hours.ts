/** Funding of a wallet in an hour, which may be the current one; negative if paid. */
export interface FundingHour {
  readonly fromMillis: number
  /** USD. */
  readonly usd: number
}

/** Index of the realized amount in an attribution: position, entry price, realized, unrealized, total. */
const realizedPlace = 2
/** Name of the attribution of funding, which has no symbol. */
export const fundingName = 'funding'

/**
 * Returns the hours with funding, the latest first.
 * @param points cumulative funding at each full hour, the oldest first.
 * @param soFarUsd cumulative funding until now.
 * @param isWhole true if the wallet did not exist an hour before the first point; without points, before this hour.
 */
export function fundingHours(
  points: HistoricalPnl['points'],
  soFarUsd: number,
  isWhole: boolean,
  nowMillis: number,
): readonly FundingHour[] {
  const borders = points.map(({ timestamp, attribution }) => ({
    millis: timestamp,
    usd: attribution?.[fundingName]?.[realizedPlace] ?? 0,
  }))
  const firstMillis = borders[0]?.millis ?? Math.ceil(nowMillis / hourMillis) * hourMillis
  const starts = isWhole ? [{ millis: firstMillis - hourMillis, usd: 0 }, ...borders] : borders
  return starts
    .map(({ millis, usd }, place) => {
      const until = starts[place + 1]?.usd ?? soFarUsd
      return { fromMillis: millis, usd: exact(until - usd) }
    })
    .filter(({ usd }) => usd !== 0)
    .reverse()
}

const hourMillis = 3_600_000
const microsPerUsd = 1e6

/** Rounds to micros. Totals are exact to the micro, but a difference of doubles is not. */
function exact(usd: number): number {
  return Math.round(usd * microsPerUsd) / microsPerUsd
}

import type { HistoricalPnl } from '../../client/answer-types.js'
