/** What funding has brought a wallet in an hour, or since one began; below 0: what it has cost. */
export interface FundingHour {
  readonly fromMillis: number
  /** USD. */
  readonly usd: number
}

/** Of an attribution: position, entry price, realized, unrealized, total. */
const realizedPlace = 2
/** What is of no symbol is called by its source. */
export const fundingName = 'funding'

/**
 * Hours in which funding was paid, the latest first.
 * @param points at the borders of hours, the oldest first, with what funding had brought until then.
 * @param soFarUsd what it has brought until now.
 * @param isWhole whether the wallet is no older than an hour before the first point; without one, than this hour.
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

/** Sums are exact to the micro, and their difference is not. */
function exact(usd: number): number {
  return Math.round(usd * microsPerUsd) / microsPerUsd
}

import type { HistoricalPnl } from '../../client/answer-types.js'
